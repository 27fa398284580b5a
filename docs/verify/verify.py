#!/usr/bin/env python3
"""Checks an archive of `sightline freeze` without any code of Sightline.

    python3 verify.py october.tar

Python's standard library alone. Digests and signature, then every number of the replies from the
answers and the workspace, by the rules of docs/guide/verify.md. Exit status 1 when one differs.
"""
import base64, gzip, hashlib, html, json, math, re, sys, unicodedata
from collections import Counter, defaultdict
from datetime import date, datetime, timedelta
from fractions import Fraction
from functools import partial

TOLERANCE, THRESHOLD, RANK_THRESHOLD = 1e-12, 0.02, 0.1
METRICS = ("mentions", "visibility", "citations", "rank", "shareOfVoice")

# ---- The archive: tar, in which every byte but the contents follows from the manifest.

def b64(text): return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

def octal(number, width):
    digits = b"%o" % number
    return digits + b"\0" if len(digits) == width - 1 else digits.rjust(width - 2, b"0") + b" \0"

def header(path, size, created):
    time = int(instant(created).timestamp())
    start = path.encode().ljust(100, b"\0") + octal(0o644, 8) + bytes(16) + octal(size, 12) + octal(time, 12)
    end = b"0" + bytes(100) + b"ustar\x0000" + bytes(64) + b"000000 \x00000000 \0" + bytes(167)
    return start + octal(sum(start) + 8 * 32 + sum(end), 8) + end

def signed_text(jws):
    """RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017) by the key in the header of a JWS."""
    head, payload, signature = jws.split(".")
    fields = json.loads(b64(head))
    jwk = fields["jwk"]
    n, e = (int.from_bytes(b64(jwk[name]), "big") for name in "ne")
    size = (n.bit_length() + 7) // 8
    digest = hashlib.sha256(f"{head}.{payload}".encode()).digest()
    info = bytes.fromhex("3031300d060960864801650304020105000420") + digest
    expected = b"\0\1" + b"\xff" * (size - len(info) - 3) + b"\0" + info
    found = pow(int.from_bytes(b64(signature), "big"), e, n).to_bytes(size, "big")
    ordered = json.dumps({name: jwk[name] for name in ("e", "kty", "n")}, separators=(",", ":"))
    thumbprint = base64.urlsafe_b64encode(hashlib.sha256(ordered.encode()).digest()).decode().rstrip("=")
    whole = all(base64.urlsafe_b64encode(b64(part)).decode().rstrip("=") == part for part in jws.split("."))
    if not (whole and found == expected and fields["alg"] == "RS256" and fields["kid"] == thumbprint):
        raise ValueError("the signature is damaged")
    return b64(payload), thumbprint

def read_archive(path):
    """-> files by path, thumbprint, faults"""
    data, faults, at = open(path, "rb").read(), [], 0
    heads = {}
    for name in ("manifest.json", "manifest.jws"):
        try: size = int(data[at + 124:at + 135], 8)
        except ValueError: return {}, None, [f"the archive: the tar header of {name} is damaged"]
        heads[name] = data[at + 512:at + 512 + size]
        at += 512 + size + -size % 512
    thumbprint, text = None, heads["manifest.json"]
    try:
        text, thumbprint = signed_text(heads["manifest.jws"].decode("ascii"))
        if text != heads["manifest.json"]: faults.append("manifest.json: is not what was signed")
    except Exception: faults.append("manifest.jws: the signature is damaged")
    try: manifest = json.loads(text)
    except ValueError: return {}, None, faults + ["manifest.json: cannot be read"]
    sizes = [(name, len(content)) for name, content in heads.items()]
    sizes += [(each["path"], each["bytes"]) for each in manifest["files"]]
    digests = {each["path"]: each["sha256"] for each in manifest["files"]}
    files, at = {"manifest.json": text}, 0
    for name, size in sizes:
        content, padding = data[at + 512:at + 512 + size], -size % 512
        if data[at:at + 512] != header(name, size, manifest["createdAt"]):
            faults.append(f"the archive: the tar header of {name} is damaged")
        if name in digests and hashlib.sha256(content).hexdigest() != digests[name]:
            faults.append(f"{name}: is not as it was written")
        if data[at + 512 + size:at + 512 + size + padding] != bytes(padding):
            faults.append(f"the archive: there are bytes behind {name}")
        files.setdefault(name, content)
        at += 512 + size + padding
    if data[at:] != bytes(1024): faults.append("the archive: its end is damaged")
    return files, thumbprint, faults

# ---- The plain rule: who is mentioned in a text, and what is cited.

def plain(text):
    text = html.unescape(text)
    text = re.sub(r"[\u00ad\u200b-\u200f\u2060\ufeff*`_]", "", unicodedata.normalize("NFKC", text))
    text = text.replace("\u2019", "'").replace("\u2018", "'").replace("\u201c", '"').replace("\u201d", '"')
    text = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    text = re.sub(r"\n\s*\n|\n\s*(?:[-+*]|\d+[.)])\s|\n#+ ", " \x00 ", text)
    return re.sub(r"[\s\u2010-\u2015-]+", " ", text).strip()

def prose(text):
    """Without images, targets of links, bare addresses and source marks."""
    text = re.sub(r"\u3010[^\u3011]*\u3011|!\[[^\]]*\]\([^)]*\)|\(\[[^\]]*\]\([^)]*\)\)", " ", text)
    text = re.sub(r"\[([^\[\]]*|\[[^\[\]]*\])\]\([^)\s]*(?:\s\"[^\"]*\")?\)", "\\1\0", text)
    return plain(re.sub(r"(?:https?://|www\.)\S+", "\x00", text))

def is_latin(name): return all(not c.isalpha() or "LATIN" in unicodedata.name(c, "") for c in name)

def matcher(entities):
    """One pattern of all names: leftmost, then longest. -> (pattern, entity of each group)"""
    names = []
    for place, entity in enumerate(entities):
        own = [{"name": entity["name"], "caseSensitive": entity.get("caseSensitive", False)}, *entity["aliases"]]
        names += [(plain(each["name"]), each.get("caseSensitive") or len(each["name"]) < 3, place) for each in own]
        names += [(plain(phrase), False, None) for phrase in entity.get("except", [])]
    names.sort(key=lambda each: -len(each[0]))
    parts = [f"((?{'' if exact else 'i'}:{re.escape(name)}))" for name, exact, _ in names]
    return re.compile(rf"(?<!\w)(?:{'|'.join(parts)})(?!\w)"), [place for _, _, place in names]

TRACKING = set("""
gclid gclsrc gbraid wbraid dclid gad_source gad_campaignid srsltid _ga _gl _gac fbclid msclkid yclid ymclid twclid
ttclid li_fat_id rdt_cid epik sccid irclickid rb_clickid _openstat igshid igsh ref_src __twitter_impression mc_cid
mc_eid _hsenc _hsmi __hssc __hstc __hsfp hsctatracking mkt_tok vero_id vero_conv oly_anon_id oly_enc_id _kx
wickedid _bhlid ml_subscriber ml_subscriber_hash _branch_match_id pk_campaign pk_kwd pk_keyword pk_source pk_medium
pk_content guccounter guce_referrer guce_referrer_sig
""".split())
PATH = r"[\w\-.~!$&'()*+,;=:@/"
HOST = r"(?:www\.)*([a-z0-9.-]+?)\.?(?::(\d+))?"
PLAIN_URL = re.compile(rf"https?://{HOST}(/{PATH}]*)?(?:\?({PATH}?]*))?(?:#.*)?", re.A | re.I)
HOLDS_ANOTHER = re.compile(
    r"google\.|bing|yahoo|aol\.com|duckduckgo|translate\.goog|ampproject|youtu|facebook|messenger\.com|instagram|"
    r"threads\.com|reddit|linkedin|slack-redir|umblr|steamcommunity|vk\.com|outlook")

def canonical(url):
    """-> (URL, host); None where the plain rule cannot tell."""
    found = PLAIN_URL.fullmatch(url.strip())
    if not found or HOLDS_ANOTHER.search(found[1].lower()): return None
    if "/." in (found[3] or "") or re.search(r"&(?:amp|#)", url): return None
    host, port, path, query = found[1].lower(), found[2], (found[3] or "/").rstrip("/") or "/", found[4] or ""
    kept = []
    for parameter in filter(None, query.split("&")):
        name = parameter.split("=")[0].lower()
        if name not in TRACKING and not name.startswith(("utm_", "mtm_", "hsa_")): kept.append(parameter)
    kept.sort(key=lambda parameter: (parameter.split("=")[0], parameter))
    port = "" if port in (None, "80", "443") else f":{port}"
    return f"https://{host}{port}{path}{'?' + '&'.join(kept) if kept else ''}", host

def owns(rule, host, path):
    own, slash, prefix = re.sub(r"^www\.", "", rule.lower().strip(".")).partition("/")
    if host != own and not host.endswith("." + own): return False
    return not slash or (path + "/").startswith("/" + rule.partition("/")[2].strip("/") + "/")

def ids(workspace):
    """The brand first, then the competitors by name."""
    return [workspace["brand"], *sorted(workspace["competitors"], key=lambda e: (e["name"].lower(), e["id"]))]

class Answer: pass

def read_answers(files, entities, topics):
    domains, unjudged, answers = json.loads(files["domains.json"]), Counter(), []
    pattern, owner = matcher(entities)
    for line in gzip.decompress(files["answers.ndjson.gz"]).decode().splitlines():
        raw = json.loads(line)
        if raw.get("outcome", "answered") != "answered" or raw["promptId"] not in topics: continue
        a = Answer()
        a.prompt, a.topic, a.at = raw["promptId"], topics[raw["promptId"]], raw["answeredAt"]
        a.provider, a.region = raw["provider"], raw.get("region")
        a.model, a.surface = raw.get("model"), raw.get("surface")
        found = [owner[match.lastindex - 1] for match in pattern.finditer(prose(raw["text"]))]
        a.ranks = {entity: rank for rank, entity in enumerate(dict.fromkeys(e for e in found if e is not None), 1)}
        a.urls = {}
        for citation in raw["citations"]:
            if not citation.get("cited", True): continue
            judged = canonical(citation["url"])
            if judged is None or judged[1] not in domains: unjudged[citation["url"]] += 1
            else: a.urls[judged[0]] = (judged[1], domains[judged[1]])
        a.cited = {place for place, entity in enumerate(entities) for url, (host, _) in a.urls.items()
                   if any(owns(rule, host, url.split(host, 1)[1].partition("?")[0]) for rule in entity["domains"])}
        a.visible = a.cited | set(a.ranks)
        answers.append(a)
    return answers, unjudged

# ---- Statistics, by rules 1 to 6 of docs/guide/verify.md.

def beta(x, a, b):
    """The regularized incomplete beta function."""
    if x <= 0 or x >= 1: return float(x >= 1)
    if x >= (a + 1) / (a + b + 2): return 1 - beta(1 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    total = d
    for m in range(1, 1000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        for term in (even, -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d, c = 1 / (1 + term * d), 1 + term / c
            total *= c * d
        if abs(c * d - 1) < 1e-16: break
    return front * total

def two_sided(t, df): return beta(df / (df + t * t), df / 2, 0.5)

QUANTILES = {}
def quantile(df):
    """Student's t that |T| exceeds in one case of twenty."""
    if df not in QUANTILES:
        low, high = 0.0, 1e3
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if two_sided(middle, df) > 0.05 else (low, middle)
        QUANTILES[df] = (low + high) / 2
    return QUANTILES[df]

def effective(values):
    total, squares = sum(values), sum(v * v for v in values)
    return 0 if total == 0 else (2 * total * total + squares) // (2 * squares)

def sums(answers, count, key=lambda a: a.prompt):
    found = defaultdict(lambda: [0, 0])
    for a in answers:
        numerator, denominator = count(a)
        found[key(a)][0] += numerator
        found[key(a)][1] += denominator
    return found

def ratio(pairs):
    numerator, denominator = (sum(column) for column in zip(*pairs)) if pairs else (0, 0)
    return Fraction(numerator, denominator) if denominator else None

def estimate(answers, count, is_rank):
    by_prompt = [pair for pair in sums(answers, count).values() if pair[1]]
    A, B, m = sum(a for a, _ in by_prompt), sum(b for _, b in by_prompt), len(by_prompt)
    n_eff = effective([b for _, b in by_prompt])
    made = {"value": A / B if B else None, "numerator": A, "denominator": B, "effectivePrompts": n_eff}
    made["interval"] = None
    if n_eff < 6: return {**made, "flags": ["insufficient", "exploratory"]}
    v = Fraction(m, m - 1) * Fraction(sum((B * a - A * b) ** 2 for a, b in by_prompt), B ** 4)
    made["flags"] = ["noVariation"] * (v == 0) + ["exploratory"] * (n_eff < 50)
    p, v, t = A / B, float(v), quantile(n_eff - 1)
    if is_rank and v > 0:
        factor = math.exp(t * math.sqrt(v) / (p - 1))
        made["interval"] = {"low": 1 + (p - 1) / factor, "high": 1 + (p - 1) * factor}
    elif not is_rank:
        n = min(B, n_eff if v == 0 else p * (1 - p) / v)
        h = min(n_eff, effective([a for a, _ in by_prompt]), effective([b - a for a, b in by_prompt]))
        n = min(n, n_eff) if h < 2 else min(n, max(n_eff, n * (t / quantile(h - 1)) ** 2))
        width, middle, whole = t * math.sqrt(p * (1 - p) / n + t * t / (4 * n * n)), p + t * t / (2 * n), 1 + t * t / n
        low, high = max(0, (middle - width) / whole), min(1, (middle + width) / whole)
        made["interval"] = {"low": low if A > 0 else 0, "high": high if A < B else 1}
    return made

def mix_of(before, after, common, count):
    own = ([a for a in side if a.prompt in common] for side in (before, after))
    one, two = (sums(side, count, lambda a: (a.provider, a.region)) for side in own)
    mean = (ratio(list(one.values())) + ratio(list(two.values()))) / 2
    total1, total2 = (sum(b for _, b in side.values()) for side in (one, two))
    if not any(one[g][1] and two[g][1] for g in {*one} & {*two}): return Fraction(0)
    mix = Fraction(0)
    for g in {*one, *two}:
        own = [r for r in (ratio([one[g]]), ratio([two[g]])) if r is not None]
        if own: mix += (Fraction(two[g][1], total2) - Fraction(one[g][1], total1)) * (sum(own) / len(own) - mean)
    return mix

def days_p(sides, count, change):
    variance, least = Fraction(0), math.inf
    for side in sides:
        prompts, by_day = len({a.prompt for a in side}), defaultdict(list)
        for a in side: by_day[a.at[:10]].append(a)
        A, B = (sum(column) for column in zip(*sums(side, count).values()))
        full = [day for day in by_day.values() if 5 * len({a.prompt for a in day}) >= 4 * prompts]
        full = [sums(day, count, lambda a: 0)[0] for day in full]
        if len(full) < 5: return None
        variance += Fraction(len(full), len(full) - 1) * sum(Fraction(a * B - A * b, B * B) ** 2 for a, b in full)
        least = min(least, len(full) - 1)
    return 0.0 if variance == 0 else two_sided(float(change) / math.sqrt(variance), least)

NO_CHANGE = {"value": None, "parts": None, "effectivePrompts": 0, "interval": None, "p": None, "flags": []}

def change_of(before, after, count):
    """-> None when a side has no value."""
    one, two = ({prompt: pair for prompt, pair in sums(side, count).items() if pair[1]} for side in (before, after))
    r1, r2, common = ratio(list(one.values())), ratio(list(two.values())), {*one} & {*two}
    if r1 is None or r2 is None: return None
    made = {**NO_CHANGE, "value": float(r2 - r1)}
    if not common: return made
    own1, own2 = (ratio([side[j] for j in common]) for side in (one, two))
    mix = mix_of(before, after, common, count)
    d = own2 - own1 - mix
    parts = {"likeForLike": d, "mix": mix, "promptsAdded": r2 - own2, "promptsRemoved": own1 - r1}
    made["parts"] = {name: float(part) for name, part in parts.items()}
    made["effectivePrompts"] = n_eff = min(effective([side[j][1] for j in common]) for side in (one, two))
    if n_eff < 6: return made
    b1, b2, m = sum(one[j][1] for j in common), sum(two[j][1] for j in common), len(common)
    u = [(two[j][0] - own2 * two[j][1]) / b2 - (one[j][0] - own1 * one[j][1]) / b1 for j in common]
    v = Fraction(m, m - 1) * sum(each ** 2 for each in u)
    k = sum(one[j][0] * two[j][1] != two[j][0] * one[j][1] for j in common)
    by_days = days_p((before, after), count, d)
    p = max(min(1, max(0 if v == 0 else two_sided(float(d) / math.sqrt(v), n_eff - 1), 2.0 ** (1 - k))), by_days or 0)
    low, high = (float(d) + sign * quantile(n_eff - 1) * math.sqrt(v) for sign in (-1, 1))
    if p > 0.05: low, high = min(0, low), max(0, high)
    interval = None if v == 0 else {"low": low, "high": high}
    return {**made, "p": p, "interval": interval, "flags": ["fewDays"] * (by_days is None)}

def variation(one, two, kind):
    first, second = (Counter(kind(a) for a in side if kind(a) is not None) for side in (one, two))
    if not first or not second: return Fraction(0)
    n1, n2 = sum(first.values()), sum(second.values())
    return sum(abs(Fraction(second[x], n2) - Fraction(first[x], n1)) for x in {*first, *second}) / 2

def discontinuity(before, after):
    """-> the most that other models or surfaces alone can move a rate, and who stayed"""
    weight, stayed = Fraction(0), set()
    for provider in {a.provider for a in [*before, *after]}:
        one, two = ([a for a in side if a.provider == provider] for side in (before, after))
        tv = max(variation(one, two, lambda a: a.model), variation(one, two, lambda a: a.surface))
        weight += tv * sum(Fraction(len(own), len(side)) for own, side in ((one, before), (two, after)) if side) / 2
        if tv == 0: stayed.add(provider)
    return weight, stayed

class Changes:
    """The changes of a reply: the tests among them are adjusted together."""
    def __init__(self, has_verdicts): self.has_verdicts, self.tests = has_verdicts, []
    def add(self, before, after, count, is_rank, broken):
        weight, stayed = broken
        made = self.judged(change_of(before, after, count), weight, is_rank)
        if made["verdict"] == "discontinuous":
            kept = [[a for a in side if a.provider in stayed] for side in (before, after)]
            other = change_of(*kept, count) if stayed else None
            made["continuing"] = other and self.judged(other, 0, is_rank)
        return made
    def judged(self, change, weight, is_rank):
        made = {**(change or NO_CHANGE), "adjustedP": None, "verdict": "insufficient"}
        if change is None: return made
        if not self.has_verdicts: made["verdict"] = None
        elif change["effectivePrompts"] < 6: pass
        elif weight > 0 and weight >= THRESHOLD - TOLERANCE: made["verdict"] = "discontinuous"
        else:
            least = RANK_THRESHOLD if is_rank else THRESHOLD
            self.tests.append((made, 1 if abs(change["parts"]["likeForLike"]) < least - TOLERANCE else change["p"]))
        return made
    def close(self):
        least, total = 1.0, len(self.tests)
        for place, (made, p) in enumerate(sorted(self.tests, key=lambda test: -test[1])):
            least = min(least, p * total / (total - place))
            made.update(adjustedP=least, verdict="moved" if least <= 0.05 else "within-noise")
        return total

# ---- The replies, from the answers.

def counting(metric, e):
    return {
        "mentions": lambda a: (e in a.ranks, 1),
        "visibility": lambda a: (e in a.visible, 1),
        "citations": lambda a: (e in a.cited, 1),
        "rank": lambda a: (a.ranks.get(e, 0), e in a.ranks),
        "shareOfVoice": lambda a: (e in a.ranks, len(a.ranks)),
    }[metric]

def within(answers, filters):
    start, end = (filters["timeRange"][side].rstrip("Z")[:23] for side in ("from", "to"))
    return [a for a in answers if start <= a.at.rstrip("Z") < end]

def instant(text): return datetime.fromisoformat(text.replace("Z", "+00:00"))

def is_long(body):
    ranges = [filters["timeRange"] for filters in (body["filters"], body["compare"]["filters"])]
    return all(instant(each["to"]) - instant(each["from"]) >= timedelta(days=7) for each in ranges)

def series(body, answers, entities):
    metric = {"overall-visibility": "visibility"}.get(body["metric"], body["metric"])
    back = {"daily": lambda day: 0, "weekly": date.weekday, "monthly": lambda day: day.day - 1}[body["interval"]]
    buckets = defaultdict(list)
    for a in within(answers, body["filters"]):
        day = date.fromisoformat(a.at[:10])
        buckets[f"{day - timedelta(days=back(day))}T00:00:00.000Z"].append(a)
    def point(e, stamp):
        made = estimate(buckets[stamp], counting(metric, e), metric == "rank")
        return {name: made[name] for name in ("value", "numerator", "denominator", "interval")}
    return {"series": {entity["id"]: {"data": partial(point, e)} for e, entity in enumerate(entities)}}

def summary(body, answers, entities):
    sides = [within(answers, filters) for filters in (body["compare"]["filters"], body["filters"])]
    key = lambda a: getattr(a, body["groupBy"], None)
    changes, groups = Changes(is_long(body)), {}
    for group in {key(a) for side in sides for a in side}:
        before, after = ([a for a in side if key(a) == group] for side in sides)
        broken = discontinuity(before, after)
        made = {"answers": len(after), "prompts": len({a.prompt for a in after}), "entities": {}}
        made["informative"] = estimate(after, lambda a: (bool(a.ranks), 1), False)
        for e, entity in enumerate(entities):
            if entity["id"] not in body["entityIds"]: continue
            own = made["entities"][entity["id"]] = {}
            for name in METRICS:
                count, is_rank = counting(name, e), name == "rank"
                change = changes.add(before, after, count, is_rank, broken)
                own[name] = {**estimate(after, count, is_rank), "change": change}
        groups[group] = made
    return {"groups": groups, "tests": changes.close()}

def sources(body, answers, entities):
    place = 0 if body["groupBy"] == "url" else 1
    names = lambda a: list(a.urls) if place == 0 else [domain for _, domain in a.urls.values()]
    before, after = (within(answers, filters) for filters in (body["compare"]["filters"], body["filters"]))
    cited, citing_of = Counter(name for a in after for name in names(a)), defaultdict(list)
    for a in after:
        for name in set(names(a)): citing_of[name].append(a)
    gaps = {name: sum(0 not in a.visible and bool(a.visible) for a in own) for name, own in citing_of.items()}
    g0 = Fraction(sum(gaps.values()), sum(map(len, citing_of.values())) or 1)
    changes = Changes(is_long(body))
    broken, found = discontinuity(before, after), []
    for name, own in sorted(cited.items(), key=lambda each: (-each[1], each[0]))[:body["limit"]]:
        citing = citing_of[name]
        m = effective(Counter(a.prompt for a in citing).values())
        g = (Fraction(m * gaps[name], len(citing)) + 5 * g0) / (m + 5)
        brand = [a for a in citing if 0 in a.visible]
        count = lambda a, name=name: (names(a).count(name), len(a.urls))
        found.append({
            "source": name, "share": own / sum(cited.values()), "citations": own, "answers": len(citing),
            "withBrand": len(brand), "withBrandOnly": sum(a.visible == {0} for a in brand),
            "withCompetitorOnly": gaps[name], "opportunity": float(Fraction(len(citing), len(after)) * g),
            "change": changes.add(before, after, count, False, broken)})
    return {"sources": found, "pagination": {"total": len(cited)}, "tests": changes.close()}

def contributions(body, answers, entities):
    before, after = (within(answers, filters) for filters in (body["compare"]["filters"], body["filters"]))
    count = counting(body["metric"], [entity["id"] for entity in entities].index(body["entityId"]))
    changes = Changes(is_long(body))
    change = changes.add(before, after, count, body["metric"] == "rank", discontinuity(before, after))
    changes.close()
    one, two = (sums(side, count, lambda a: getattr(a, body["by"])) for side in (before, after))
    if change["value"] is None: return {"value": None, "parts": None, "change": change, "contributions": []}
    b1, b2 = (sum(b for _, b in side.values()) for side in (one, two))
    mean, made = (ratio(list(one.values())) + ratio(list(two.values()))) / 2, {}
    for key in {*one, *two}:
        (a1, n1), (a2, n2) = one[key], two[key]
        value = (a2 - mean * n2) / b2 - (a1 - mean * n1) / b1
        inside = (Fraction(n1, b1) + Fraction(n2, b2)) / 2 * (Fraction(a2, n2) - Fraction(a1, n1)) if n1 and n2 else 0
        before, after = ({"numerator": a, "denominator": n} for a, n in ((a1, n1), (a2, n2)))
        whole = {"value": float(value), "within": float(inside), "mix": float(value - inside)}
        made[key] = {**whole, "before": before, "after": after}
    return {"value": change["value"], "parts": change["parts"], "change": change, "contributions": made}

KINDS = {"series": series, "summary": summary, "sources": sources, "changes": contributions}

# ---- What was computed beside what was frozen.

class Comparison:
    def __init__(self, skipped): self.skipped, self.compared, self.largest, self.differences = skipped, 0, 0.0, []
    def compare(self, mine, frozen, at=""):
        if at.rpartition("/")[2] in self.skipped: return
        if callable(mine):  # a series: by the start of a bucket
            return [self.compare(mine(each["timestamp"]), each, f"{at}/{each['timestamp']}") for each in frozen]
        if isinstance(mine, dict) and isinstance(frozen, list):  # by key
            keyed = {each.get("id", each.get("key")): each for each in frozen}
            if {*keyed} != {*mine}: self.differences.append(f"{at}: other members")
            return [self.compare(mine[key], keyed[key], f"{at}/{key}") for key in mine if key in keyed]
        if isinstance(mine, dict) and isinstance(frozen, dict):
            return [self.compare(value, frozen.get(key), f"{at}/{key}") for key, value in mine.items()]
        if isinstance(mine, list) and isinstance(frozen, list) and len(mine) == len(frozen):
            return [self.compare(one, two, f"{at}/{place}") for place, (one, two) in enumerate(zip(mine, frozen))]
        if not (isinstance(mine, (int, float)) and isinstance(frozen, (int, float))): same = mine == frozen
        else:
            self.compared += 1
            difference = abs(mine - frozen) / max(1, abs(frozen))
            self.largest, same = max(self.largest, difference), difference <= TOLERANCE
        if not same: self.differences.append(f"{at}: frozen {frozen}, computed {mine}")

def not_judged(entities, citations):
    """What rests on names and citations that the plain rule does not cover is left out, and said."""
    skipped = set()
    for entity in entities:
        for name in [entity["name"], *(alias["name"] for alias in entity["aliases"])]:
            if is_latin(name): continue
            print(f"NOT JUDGED: the name {name}, in a script that the plain rule does not cover")
            skipped |= {entity["id"], "mentions", "rank", "shareOfVoice", "informative", "withBrand"}
    if citations: print(f"NOT JUDGED: {sum(citations.values())} citations, such as {next(iter(citations))}")
    if citations: skipped |= {"citations", "sources-by-domain", "sources-by-url"}
    both = {"visibility", "overall-visibility", "withBrandOnly", "withCompetitorOnly", "opportunity"}
    return skipped | both | {"tests", "adjustedP", "verdict"} if skipped else skipped

def main(path):
    files, thumbprint, faults = read_archive(path)
    if thumbprint: print(f"Signed with the key {thumbprint}")
    if faults: sys.exit("\n".join(faults))
    workspace = json.loads(files["workspace.json"])
    entities = ids(workspace)
    topic_ids = {topic["name"]: topic["id"] for topic in workspace["topics"]}
    topics = {prompt["id"]: topic_ids.get(prompt.get("topic")) for prompt in workspace["prompts"]}
    answers, unjudged = read_answers(files, entities, topics)
    skipped = not_judged(entities, unjudged)
    print(f"{len(answers)} answers read\n\n{'reply':34} {'numbers':>8} {'largest difference':>19} {'differ':>7}")
    differences = []
    for name in sorted(name for name in files if name.endswith(".request.json")):
        question, reply = json.loads(files[name]), json.loads(files[name.replace(".request.", ".reply.")])
        kind = KINDS[question["path"].rpartition("/")[2]]
        found = Comparison(skipped)
        if {name[9:-13], question["body"].get("entityId")} & skipped:
            print(f"{name[6:-13]:34} not judged")
            continue
        found.compare(kind(question["body"], answers, entities), reply)
        print(f"{name[6:-13]:34} {found.compared:8} {found.largest:19.1e} {len(found.differences):7}")
        differences += [f"{name[:-13]}{each}" for each in found.differences]
    agrees = "Every number that was judged agrees." if skipped else "Every number agrees."
    print("\n" + ("\n".join(differences[:50]) or agrees))
    sys.exit(1 if differences else 0)

if __name__ == "__main__":
    sys.exit(__doc__) if len(sys.argv) != 2 else main(sys.argv[1])
