"""Types and calls of the Sightline service, from its OpenAPI document. Do not edit."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Literal, Mapping, Optional, TypedDict
from typing import Union, cast
from urllib.parse import quote


Interval = Literal["daily", "weekly", "monthly"]


TimeRange = TypedDict("TimeRange", {
    "from": "str",
    "to": "str",
}, total=True)


Provider = Literal["GEMINI", "OPENAI", "ANTHROPIC", "PERPLEXITY", "GROK", "GOOGLE_AI_MODE", "GOOGLE_AI_OVERVIEW", "COPILOT"]


class TopicFilter(TypedDict):
    id: str


class RegionFilter(TypedDict):
    # ISO 3166-1 alpha-2 country code, in either case.
    code: str


class _FiltersRequired(TypedDict):
    timeRange: TimeRange


class Filters(_FiltersRequired, total=False):
    providers: List[Provider]
    # Only prompts of these topics. Cannot be combined with `promptIds`.
    topics: List[TopicFilter]
    # Only these prompts. Cannot be combined with `topics`.
    promptIds: List[str]
    regions: List[RegionFilter]
    # true: branded prompts only. false: non-branded only. Omitted: all.
    branded: bool


class TimeSeriesRequest(TypedDict):
    interval: Interval
    filters: Filters


TimeSeriesResponseTimeRange = TypedDict("TimeSeriesResponseTimeRange", {
    "from": "str",
    "to": "str",
}, total=True)


class Point(TypedDict):
    # Start of the bucket, UTC; it may lie before `from`.
    timestamp: str
    # See the operation. Null: nothing was measured.
    value: Optional[float]


class Series(TypedDict):
    # The tracked entity's id.
    id: str
    # Its current name.
    name: str
    # Every bucket that overlaps the range, in order.
    data: List[Point]


class TimeSeriesResponse(TypedDict):
    interval: Interval
    timeRange: TimeSeriesResponseTimeRange
    # The brand first, then the competitors by name.
    series: List[Series]


Grouping = Literal["domain", "url"]


class SourceAnalysisRequest(TypedDict):
    limit: int
    offset: int
    groupBy: Grouping
    filters: Filters


class Source(TypedDict):
    # A registrable domain or a canonical URL, as `groupBy` says.
    source: str
    # citations / all citations that pass the filters.
    share: float
    # Pairs of an answer and a URL it cites.
    citations: int


class Pagination(TypedDict):
    # Distinct sources that pass the filters.
    total: int
    limit: int
    offset: int
    hasMore: bool


class SourceAnalysisResponse(TypedDict):
    groupBy: Grouping
    # By citations, descending, then by source.
    sources: List[Source]
    pagination: Pagination


class SessionExchangeResponse(TypedDict):
    # Identifier of the static key; may be logged.
    keyId: str
    # The session token, a JWT. A secret; it ends at its `exp`.
    sessionJwt: str


class Entity(TypedDict):
    id: str
    name: str


class Topic(TypedDict):
    id: str
    name: str


class _PromptRequired(TypedDict):
    id: str
    text: str
    # One of `topics`. Null: it has no topic.
    topicId: Optional[str]
    branded: bool


class Prompt(_PromptRequired, total=False):
    # In alphabetical order. Omitted: none.
    tags: List[str]


class AnswersSamples(TypedDict):
    """Invented answers: those that the latest 100 imports named `sample answers` recorded, and nobody has undone. Omitted: none."""

    count: int
    # Undoing these removes them.
    importIds: List[str]


class _AnswersRequired(TypedDict):
    # Answers that count: answered, and their prompt is not retired.
    count: int
    # When the first was given. Null: there is none.
    first: Optional[str]
    # When the last was given. Null: there is none.
    last: Optional[str]


class Answers(_AnswersRequired, total=False):
    # Invented answers: those that the latest 100 imports named `sample answers` recorded, and nobody has undone. Omitted: none.
    samples: AnswersSamples


class SavedView(TypedDict):
    name: str
    # The search part of the console's address.
    view: str


class Note(TypedDict):
    # A day, UTC.
    date: str
    text: str


class _WorkspaceResponseRequired(TypedDict):
    brand: Entity
    # In the order of the series: by name.
    competitors: List[Entity]
    # By name.
    topics: List[Topic]
    # By text, those of every topic and of none.
    prompts: List[Prompt]
    # Those with answers that count, in the order of the filter's list.
    providers: List[Provider]
    # Those with answers that count, in alphabetical order.
    regions: List[str]
    answers: Answers
    # When the newest answer was recorded, counting or not. Null: none was.
    lastImport: Optional[str]


class WorkspaceResponse(_WorkspaceResponseRequired, total=False):
    # Views of the console. Omitted: none.
    views: List[SavedView]
    # What happened when, by date. Omitted: nothing is noted.
    notes: List[Note]


Metric = Literal["mentions", "overall-visibility", "citations", "rank", "recommended", "praised", "criticized", "discouraged", "notFound"]


Surface = Literal["api", "web"]


class _InsightFiltersRequired(TypedDict):
    timeRange: TimeRange


class InsightFilters(_InsightFiltersRequired, total=False):
    providers: List[Provider]
    # Only prompts of these topics. Cannot be combined with `promptIds`.
    topics: List[TopicFilter]
    # Only these prompts. Cannot be combined with `topics`.
    promptIds: List[str]
    regions: List[RegionFilter]
    # true: branded prompts only. false: non-branded only. Omitted: all.
    branded: bool
    # Only answers of these models, by their names as answers have them. Answers whose model is not known match only without this filter.
    models: List[str]
    # Only prompts with any of these tags, in any case, form of Unicode and spacing. May be combined with `topics` or `promptIds`.
    tags: List[str]
    # Only answers of these surfaces. Answers whose surface is not known match only without this filter.
    surfaces: List[Surface]


class Exclude(TypedDict, total=False):
    """Answers that do not count although `filters` let them pass: those of any item."""

    providers: List[Provider]
    # Prompts of these topics. May be combined with `promptIds`.
    topics: List[TopicFilter]
    promptIds: List[str]
    # Answers without a region stay.
    regions: List[RegionFilter]
    # Answers whose model is not known stay.
    models: List[str]
    # Prompts with any of these tags; those without tags stay.
    tags: List[str]
    # Answers whose surface is not known stay.
    surfaces: List[Surface]


class _InsightsSeriesRequestRequired(TypedDict):
    metric: Metric
    interval: Interval
    filters: InsightFilters


class InsightsSeriesRequest(_InsightsSeriesRequestRequired, total=False):
    exclude: Exclude
    # facts: by what answers the numbers of the reply were measured. marks: the weeks in which models or prompts changed.
    include: List[Literal['facts', 'marks']]


InsightsSeriesResponseTimeRange = TypedDict("InsightsSeriesResponseTimeRange", {
    "from": "str",
    "to": "str",
}, total=True)


class ConfidenceInterval(TypedDict):
    """A 95 % interval; prompts are its units of variation."""

    low: float
    high: float


class CountedPoint(TypedDict):
    # Start of the bucket, UTC; it may lie before `from`.
    timestamp: str
    # numerator / denominator, as the metric's own operation gives it. Null: denominator is 0.
    value: Optional[float]
    # Rates: the answers that count for the entity. Rank: the sum of its ranks.
    numerator: int
    # Rates: all answers of the bucket. Rank: the answers that mention the entity. What is said: those of them that were read for it.
    denominator: int
    # Of the value. Null: no value, fewer than 6 effective prompts in the bucket, or a rank that all prompts agree on.
    interval: Optional[ConfidenceInterval]
    # true: no answer of the bucket passes the filters.
    empty: bool
    # Days of the bucket inside the range and up to the account's last answer, whose UTC day counts in full: 1.5 where the range cuts a day. Less than `days`: the bucket is partial.
    covered: float
    # Days of the whole bucket: 1, 7, or those of the month.
    days: int


class CountedSeries(TypedDict):
    # The tracked entity's id.
    id: str
    # Its current name.
    name: str
    # Every bucket that meets the range, in order.
    data: List[CountedPoint]


class SeriesMark(TypedDict):
    # The Monday of the ISO week, whatever the interval is.
    timestamp: str
    # models: other models or surfaces answered. prompts: other prompts were answered.
    kind: Literal['models', 'prompts']
    # Of models: the providers whose known models, or surfaces, have other shares of their answers than in the week before with answers: total variation of 0.2 or more.
    providers: List[Provider]
    # Of prompts: those answered for the first time in the range. The first whole week, and the first with answers, count none.
    added: int
    # Of prompts: those answered in an earlier week, and no more in the range.
    removed: int


class AnswersPerPrompt(TypedDict):
    least: int
    median: float
    most: int


class ProviderAnswers(TypedDict):
    provider: Provider
    answers: int


class RegionAnswers(TypedDict):
    # Null: none was recorded.
    region: Optional[str]
    answers: int


class SurfaceAnswers(TypedDict):
    # Null: not recorded.
    surface: Optional[Literal['api', 'web']]
    answers: int


class ModelAnswers(TypedDict):
    provider: Provider
    # As recorded.
    model: str
    answers: int


class ModelsSeen(TypedDict):
    # Pairs of a provider and a recorded model.
    distinct: int
    # Answers without a recorded model.
    unknown: int
    # The 20 with the most answers.
    named: List[ModelAnswers]


class CadenceFacts(TypedDict):
    # UTC days that meet the range.
    days: int
    daysWithAnswers: int
    # The median of the days (UTC) between an answer and the one before it to the same prompt by the same provider in the same region. Null: no prompt was answered twice so.
    medianDaysBetween: Optional[float]


class Retest(TypedDict):
    """Test and retest: how much the same question is answered otherwise the next time."""

    # Such pairs of consecutive answers in the range.
    pairs: int
    # The share of pairs of which exactly one mentions the brand. Null: fewer than 20.
    brandDiffers: Optional[float]
    # Pairs of which at least one mentions a tracked entity.
    mentioningPairs: int
    # The mean over these of the entities that exactly one mentions / the entities that either mentions. Null: fewer than 20.
    entitiesDiffer: Optional[float]


class Unanswered(TypedDict):
    answers: int
    # Of `asked`. Null: nothing was asked, or the account never recorded another outcome than an answer, so that these may have been left out.
    share: Optional[float]


class UnansweredFacts(TypedDict):
    """What was excluded. Questions that were never recorded are not known."""

    # Answers, and what was asked and recorded as one of these.
    asked: int
    # No answer was obtained.
    failed: Unanswered
    # The provider declined to answer.
    refused: Unanswered
    # No AI answer was shown.
    absent: Unanswered


class MeasurementVersions(TypedDict):
    # Of the rules that read mentions and citations.
    extraction: str
    # Of the public suffix list, by the package that holds it.
    suffixList: str
    unicode: str


class MeasurementFacts(TypedDict):
    # The sample size: answers that pass the filters.
    answers: int
    # Distinct prompts that they answer.
    prompts: int
    # Over these prompts. Null: there are no answers.
    answersPerPrompt: Optional[AnswersPerPrompt]
    # Those with answers.
    providers: List[ProviderAnswers]
    # Those with answers.
    regions: List[RegionAnswers]
    # Where answers were collected: a provider's API, or its web page.
    surfaces: List[SurfaceAnswers]
    models: ModelsSeen
    cadence: CadenceFacts
    retest: Retest
    unanswered: UnansweredFacts
    # Null: no answer was read yet.
    versions: Optional[MeasurementVersions]
    # When the price list of this service was last looked through.
    pricesDate: str


class _InsightsSeriesResponseRequired(TypedDict):
    interval: Interval
    timeRange: InsightsSeriesResponseTimeRange
    # The brand first, then the competitors by name.
    series: List[CountedSeries]


class InsightsSeriesResponse(_InsightsSeriesResponseRequired, total=False):
    # Present when the request includes them; in the order of time.
    marks: List[SeriesMark]
    # Present when the request includes it.
    facts: MeasurementFacts


SummaryGrouping = Literal["none", "provider", "topic", "prompt", "region", "branded", "model", "surface", "tag"]


class _CompareRequired(TypedDict):
    # Of the other side. While all other filters are equal, the two time ranges must not overlap.
    filters: InsightFilters


class Compare(_CompareRequired, total=False):
    exclude: Exclude


class _InsightsSummaryRequestRequired(TypedDict):
    groupBy: SummaryGrouping
    filters: InsightFilters


class InsightsSummaryRequest(_InsightsSummaryRequestRequired, total=False):
    exclude: Exclude
    # Only these entities are listed, and only their changes are tested. Values stay the same: they are computed against all tracked entities. Omitted or empty: all.
    entityIds: List[str]
    compare: Compare
    # The least like-for-like difference of two fractions that is called moved; 0.02 unless said.
    threshold: float
    # The least like-for-like difference of two mean ranks that is called moved; 0.1 unless said.
    rankThreshold: float
    # false: without how answers speak of the entities. true unless said.
    portrayal: bool
    # stability: how alike consecutive answers are in what they cite. trend: how values rise or fall over whole weeks. extraction: mentions and citations as labels have them, with an interval that includes extraction's errors. facts: by what answers the numbers were measured.
    include: List[Literal['stability', 'trend', 'extraction', 'facts']]


class ChangeParts(TypedDict):
    """Parts that add up to `value`."""

    # Of the prompts with answers on both sides, without the mix. It is what is tested.
    likeForLike: float
    # Of other shares of providers and regions. 0: no such pair is on both sides.
    mix: float
    # Of prompts with answers on the later side only.
    promptsAdded: float
    # Of prompts with answers on the side of `compare` only.
    promptsRemoved: float


class ContinuingChange(TypedDict):
    # The value minus that of `compare`, of all prompts. Null: one of them is null.
    value: Optional[float]
    # Null: no prompt has answers on both sides.
    parts: Optional[ChangeParts]
    # As many prompts with equally many answers would tell as much: (Σn)² / Σn² over the prompts' denominators n, rounded.
    effectivePrompts: int
    # Of `parts.likeForLike`. Null: fewer than 6 effective prompts have answers on both sides, or all prompts changed alike.
    interval: Optional[ConfidenceInterval]
    # The two-sided p of no like-for-like change: the largest of the test by prompts, the test by days, and the chance that all prompts that differ move one way. Null: too few prompts.
    p: Optional[float]
    # p, adjusted for all tests of the reply (Benjamini and Hochberg); 1 stands in place of the p of a change below the threshold. Null: it is not one of the tests.
    adjustedP: Optional[float]
    # moved: adjustedP is at most .05. discontinuous: other models or surfaces alone can move a rate by the threshold. Null: a side is shorter than 7 days.
    verdict: Optional[Literal['moved', 'within-noise', 'insufficient', 'discontinuous']]
    # fewDays: fewer than 5 days on a side, so that the test by days was left out.
    flags: List[Literal['fewDays']]


class _ChangeRequired(TypedDict):
    # The value minus that of `compare`, of all prompts. Null: one of them is null.
    value: Optional[float]
    # Null: no prompt has answers on both sides.
    parts: Optional[ChangeParts]
    # As many prompts with equally many answers would tell as much: (Σn)² / Σn² over the prompts' denominators n, rounded.
    effectivePrompts: int
    # Of `parts.likeForLike`. Null: fewer than 6 effective prompts have answers on both sides, or all prompts changed alike.
    interval: Optional[ConfidenceInterval]
    # The two-sided p of no like-for-like change: the largest of the test by prompts, the test by days, and the chance that all prompts that differ move one way. Null: too few prompts.
    p: Optional[float]
    # p, adjusted for all tests of the reply (Benjamini and Hochberg); 1 stands in place of the p of a change below the threshold. Null: it is not one of the tests.
    adjustedP: Optional[float]
    # moved: adjustedP is at most .05. discontinuous: other models or surfaces alone can move a rate by the threshold. Null: a side is shorter than 7 days.
    verdict: Optional[Literal['moved', 'within-noise', 'insufficient', 'discontinuous']]
    # fewDays: fewer than 5 days on a side, so that the test by days was left out.
    flags: List[Literal['fewDays']]


class Change(_ChangeRequired, total=False):
    # Of a discontinuous change: the same of the providers whose models and surfaces stayed. Null: there are none, or they have no value.
    continuing: Optional[ContinuingChange]


Trend = TypedDict("Trend", {
    "slope": "float",
    "weeks": "int",
    "from": "str",
    "effectivePrompts": "int",
    "interval": "Optional[ConfidenceInterval]",
    "p": "Optional[float]",
    "adjustedP": "Optional[float]",
    "verdict": "Literal['moved', 'within-noise', 'insufficient']",
}, total=True)


class Extraction(TypedDict):
    # Of the answers of the denominator, those with a label.
    labelled: int
    # Prompts that they answer.
    labelledPrompts: int
    # The lesser of those of the answers and those of the labelled answers.
    effectivePrompts: int
    # Labelled answers that count by their label alone.
    missed: int
    # Labelled answers that count by extraction alone.
    wrong: int
    # Of the labelled answers that extraction counts, the part that the labels count.
    precision: Optional[float]
    # Of the labelled answers that the labels count, the part that extraction counts.
    recall: Optional[float]
    # Cohen's kappa of extraction and labels. Null: chance alone would agree as much.
    kappa: Optional[float]
    # (missed − wrong) / labelled of each prompt, weighted by its answers. Null: no answer is labelled.
    difference: Optional[float]
    # The value plus `difference`, within 0 and 1. Null: no answer is labelled.
    value: Optional[float]
    # Of `value`, for extraction's errors too, if the labelled answers were chosen at random. Null: fewer than 6 effective prompts.
    interval: Optional[ConfidenceInterval]
    # insufficient: fewer than 6 effective prompts. noVariation: all prompts agree. exploratory: fewer than 50 effective prompts.
    flags: List[Literal['insufficient', 'noVariation', 'exploratory']]


class _EstimatedValueRequired(TypedDict):
    # numerator / denominator. Null: denominator is 0.
    value: Optional[float]
    numerator: int
    denominator: int
    # As many prompts with equally many answers would tell as much: (Σn)² / Σn² over the prompts' denominators n, rounded.
    effectivePrompts: int
    # Null: no value, fewer than 6 effective prompts, or a rank that all prompts agree on.
    interval: Optional[ConfidenceInterval]
    # insufficient: fewer than 6 effective prompts. noVariation: all prompts agree. exploratory: fewer than 50 effective prompts.
    flags: List[Literal['insufficient', 'noVariation', 'exploratory']]


class EstimatedValue(_EstimatedValueRequired, total=False):
    # Present when the request has `compare`.
    change: Change
    # Present when the request includes it. Null: fewer than 5 whole weeks, or no prompt has answers in all of them.
    trend: Optional[Trend]
    # Present of mentions, citations and what is said of an entity, when the request includes it.
    extraction: Extraction


class Stability(TypedDict):
    # The mean over pairs of the domains that both cite / the domains that either cites. Null: fewer than 20 pairs.
    value: Optional[float]
    # Consecutive answers to the same prompt by the same provider in the same region, at least one of which cites a domain.
    pairs: int


class FlagAccuracy(TypedDict):
    """By flag, of labelled answers in this language. Null: not measured."""

    recommended: Optional[float]
    praised: Optional[float]
    criticized: Optional[float]
    discouraged: Optional[float]
    notFound: Optional[float]


PortrayalFlag = Literal["recommended", "praised", "criticized", "discouraged", "notFound"]


class ReadLanguage(TypedDict):
    # A BCP 47 primary subtag, such as en.
    language: str
    # Answers in it that mention the entity; all were read.
    answers: int
    precision: FlagAccuracy
    recall: FlagAccuracy
    # Flags whose F1 in this language is under .7: read the answers, not the number.
    listOnly: List[PortrayalFlag]


class PortrayalReader(TypedDict):
    # rules: tables of words, by language.
    name: Literal['rules']
    # Another number: all answers were read again.
    version: int
    # By how many answers, the most first.
    language: List[ReadLanguage]
    # Answers that mention the entity and were not read: no table reads their language, or their text was removed. They are in no denominator.
    unread: int


class Portrayal(TypedDict):
    reader: PortrayalReader
    # Answers that recommend it / answers that mention it and were read.
    recommended: EstimatedValue
    # Answers that state an advantage of it / answers that mention it and were read.
    praised: EstimatedValue
    # Answers that state a drawback of it / answers that mention it and were read.
    criticized: EstimatedValue
    # Answers that advise against it / answers that mention it and were read.
    discouraged: EstimatedValue
    # Answers that say that they found nothing about it / answers that mention it and were read.
    notFound: EstimatedValue


class _SummaryEntityRequired(TypedDict):
    id: str
    name: str
    # Answers that mention it / answers.
    mentions: EstimatedValue
    # Answers that mention or cite it / answers.
    visibility: EstimatedValue
    # Answers that cite it / answers.
    citations: EstimatedValue
    # The sum of its ranks / answers that mention it.
    rank: EstimatedValue
    # Answers that mention it / the same, added up over all tracked entities.
    shareOfVoice: EstimatedValue


class SummaryEntity(_SummaryEntityRequired, total=False):
    # How answers speak of it. Absent when the request says false.
    portrayal: Portrayal


class _SummaryGroupRequired(TypedDict):
    # A provider, a region, the id of a topic or a prompt, true or false, a model, a surface or a tag. Null: all answers, or those without a topic, region or tag, or whose model or surface is not known.
    key: Optional[str]
    # What the group is called today.
    name: str
    answers: int
    # Prompts that the answers answer.
    prompts: int
    # When the newest of the answers was given. Null: there are none.
    lastAnsweredAt: Optional[str]
    # Answers that mention any tracked entity / answers.
    informative: EstimatedValue
    # insufficient: fewer than 6 effective prompts. noVariation: all prompts agree. exploratory: fewer than 50 effective prompts.
    flags: List[Literal['insufficient', 'noVariation', 'exploratory']]
    # The brand first, then the competitors by name; those of `entityIds`.
    entities: List[SummaryEntity]


class SummaryGroup(_SummaryGroupRequired, total=False):
    # Present when the request includes it.
    stability: Stability


class Empty(TypedDict):
    # noAnswers: the account has none. outsideRange: none in the range. notTrackedThen: some pass the filters, at other times. filteredOut: none pass the filters at any time. uninformative: none names a tracked entity. uncited: none cites a page.
    reason: Literal['noAnswers', 'outsideRange', 'notTrackedThen', 'filteredOut', 'uninformative', 'uncited']
    # The account's first answer. Null: there is none.
    first: Optional[str]
    # The account's last answer. Null: there is none.
    last: Optional[str]


ComparedTimeRange = TypedDict("ComparedTimeRange", {
    "from": "str",
    "to": "str",
}, total=True)


class _ComparedRequired(TypedDict):
    # The compared range, in UTC; `to` is not included.
    timeRange: ComparedTimeRange
    # Answers that pass the filters of `compare`.
    answers: int
    # Prompts that they answer.
    prompts: int
    empty: Optional[Empty]
    # Providers whose models or surfaces differ between the two sides.
    discontinuous: List[Provider]


class Compared(_ComparedRequired, total=False):
    # Present when the request includes it.
    facts: MeasurementFacts


class _InsightsSummaryResponseRequired(TypedDict):
    groupBy: SummaryGrouping
    # Those with answers on either side.
    groups: List[SummaryGroup]
    # Null: there is something to say.
    empty: Optional[Empty]
    # How many changes of the reply are tested: those with an adjustedP.
    tests: int


class InsightsSummaryResponse(_InsightsSummaryResponseRequired, total=False):
    # The same of portrayal's changes, whose p are adjusted among themselves. Present when the request has `compare`, and portrayal.
    portrayalTests: int
    # Present when the request includes it.
    facts: MeasurementFacts
    # Present when the request has `compare`.
    compare: Compared


SourceClass = Literal["editorial", "reference", "forum", "video", "social", "review", "shop", "government", "education", "code", "press-release", "other"]


SourceForm = Literal["list", "comparison", "review", "how-to", "documentation", "product", "discussion", "video", "other"]


class _InsightsSourcesRequestRequired(TypedDict):
    limit: int
    offset: int
    groupBy: Grouping
    filters: InsightFilters


class InsightsSourcesRequest(_InsightsSourcesRequestRequired, total=False):
    exclude: Exclude
    # Only sources of this registrable domain are listed: with groupBy url, its pages.
    domain: str
    # Only this page is listed, in any spelling; with groupBy domain, its domain.
    url: str
    # What comes first: the most citations (default), or the greatest `opportunity`. Sources that are equal in it are in the order of citations, then of `source`.
    orderBy: Literal['citations', 'opportunity']
    # Only sources of these classes are listed; omitted or empty: all.
    sourceClasses: List[SourceClass]
    # Only pages of these forms are listed, and with groupBy domain the domains of such pages; omitted or empty: all.
    forms: List[SourceForm]
    compare: Compare
    # The least like-for-like difference of two fractions that is called moved; 0.02 unless said.
    threshold: float
    # facts: by what answers it was measured. classes: the citations of each class of sources.
    include: List[Literal['facts', 'classes']]


ClassifiedSource = TypedDict("ClassifiedSource", {
    "source": "str",
    "share": "float",
    "citations": "int",
    "answers": "int",
    "class": "Literal['own', 'competitor', 'thirdParty']",
    "entityId": "Optional[str]",
    "sourceClass": "SourceClass",
    "form": "Optional[SourceForm]",
    "firstCitedAt": "str",
    "lastCitedAt": "str",
    "withBrand": "int",
    "withBrandOnly": "int",
    "withCompetitorOnly": "int",
    "opportunity": "float",
    "change": "Change",
}, total=False)


class SourceClassShare(TypedDict):
    sourceClass: SourceClass
    # Domains with a citation of this class.
    domains: int
    citations: int
    # citations / all citations.
    share: float


class _InsightsSourcesResponseRequired(TypedDict):
    groupBy: Grouping
    # As `orderBy` says.
    sources: List[ClassifiedSource]
    pagination: Pagination
    # Null: some answers pass the filters.
    empty: Optional[Empty]
    # How many changes of the reply are tested: those with an adjustedP.
    tests: int


class InsightsSourcesResponse(_InsightsSourcesResponseRequired, total=False):
    # Present when the request includes it: the classes that are cited, most first.
    classes: List[SourceClassShare]
    # Present when the request includes it.
    facts: MeasurementFacts
    # Present when the request has `compare`.
    compare: Compared


class LineError(TypedDict):
    # The line's number in the body, from 1.
    line: int
    # JSON Pointer (RFC 6901) into the line; empty: the whole line.
    path: str
    # What must stand there, and what was sent.
    message: str


class ImportAnswersResponse(TypedDict):
    # Names this import.
    importId: str
    # Lines whose answers were recorded now.
    accepted: int
    # Lines whose answers were recorded before, with equal content.
    duplicates: int
    # Lines that were not recorded.
    rejected: int
    # Citations of accepted answers that are kept but never counted: not an http or https URL.
    warnings: int
    # Every fault of the first 100 rejected lines, in the order of the body.
    errors: List[LineError]


class Import(TypedDict):
    # Names this import.
    id: str
    startedAt: str
    # complete: every line was read. running: it goes on, or its process was killed in the last hour. incomplete: it broke off, and the lines after that were never read; the same file again records the rest.
    state: Literal['complete', 'running', 'incomplete']
    # A file's name, what the sender named it (`?source=`), `standard input`, or `http`.
    source: str
    # Lines whose answers were recorded.
    accepted: int
    # Lines whose answers were recorded before, with equal content.
    duplicates: int
    # Lines that were not recorded.
    rejected: int
    # When its answers were removed. Null: they were not.
    undoneAt: Optional[str]


class ImportsResponse(TypedDict):
    # Newest first; the latest 1000.
    imports: List[Import]


class UndoneImportResponse(TypedDict):
    # Answers that were removed for good.
    deleted: int
    # false: the facts are still being built anew, and questions get the old numbers.
    factsCurrent: bool


class _DeleteAnswersRequestRequired(TypedDict):
    # true: says how many there are, and removes none.
    dryRun: bool


class DeleteAnswersRequest(_DeleteAnswersRequestRequired, total=False):
    # The answers with these ids. Send either this or `filters`.
    ids: List[str]
    # The answers, of any outcome, that pass these. Send either this or `ids`.
    filters: Filters


class DeleteAnswersResponse(TypedDict):
    # Answers that are meant.
    matched: int
    # Answers that were removed for good.
    deleted: int
    # false: the facts are still being built anew, and questions get the old numbers.
    factsCurrent: bool


class _WorkspaceFileAccount2Required(TypedDict):
    name: str


class WorkspaceFileAccount2(_WorkspaceFileAccount2Required, total=False):
    # Omitted: derived from the name or the text.
    id: str


class _FileEntityAliasesItem2Required(TypedDict):
    name: str


class FileEntityAliasesItem2(_FileEntityAliasesItem2Required, total=False):
    caseSensitive: bool


FileEntity = TypedDict("FileEntity", {
    "id": "str",
    "name": "str",
    "caseSensitive": "bool",
    "aliases": "List[Union[str, FileEntityAliasesItem2]]",
    "domains": "List[str]",
    "except": "List[str]",
}, total=False)


class _AskedProviderValue2Required(TypedDict):
    provider: Provider


class AskedProviderValue2(_AskedProviderValue2Required, total=False):
    # Omitted: `api` where the provider has one, else `web`.
    surface: Literal['api', 'web']
    # For surface `api`. Omitted: the service's choice.
    model: str
    # Who is asked for what the page shows. Omitted: the first that can be asked.
    vendor: Literal['openai', 'anthropic', 'gemini', 'perplexity', 'xai', 'dataforseo', 'serpapi', 'cloro', 'reader']
    # Countries of this provider, in place of the others'. Empty: none is asked for.
    regions: List[str]
    # A state or province by name, with one region: of OPENAI, ANTHROPIC, PERPLEXITY.
    state: str
    # A city by name, with one region: of the same.
    city: str


AskedProvider = Union[Provider, "AskedProviderValue2"]


class AccountCollectionCapsProvidersValue(TypedDict, total=False):
    # Omitted: no limit.
    callsPerDay: int
    # Omitted: no limit.
    dollarsPerDay: float


class AccountCollectionCaps(TypedDict, total=False):
    """The most of a UTC day, of all providers together and of each."""

    # Omitted: no limit.
    callsPerDay: int
    # Omitted: no limit.
    dollarsPerDay: float
    providers: Dict[str, AccountCollectionCapsProvidersValue]


class AccountCollection(TypedDict, total=False):
    # Minute, hour, day of month, month, day of week. Omitted: at no time by itself.
    cron: str
    # Such as Europe/Berlin. Omitted: UTC.
    timeZone: str
    providers: List[AskedProvider]
    # Countries, two upper-case letters each. Omitted or empty: none is asked for.
    regions: List[str]
    # How often each prompt is asked of each provider. Omitted: 1.
    samples: int
    # The most of a UTC day, of all providers together and of each.
    caps: AccountCollectionCaps
    # Whether a provider may be asked on both surfaces. Omitted: false.
    mixSurfaces: bool


class CollectionRule(TypedDict, total=False):
    # Minute, hour, day of month, month, day of week. Omitted: at no time by itself.
    cron: str
    # Such as Europe/Berlin. Omitted: UTC.
    timeZone: str
    providers: List[AskedProvider]
    # Countries, two upper-case letters each. Omitted or empty: none is asked for.
    regions: List[str]
    # How often each prompt is asked of each provider. Omitted: 1.
    samples: int


class _WorkspaceFileTopicsItem2Required(TypedDict):
    name: str


class WorkspaceFileTopicsItem2(_WorkspaceFileTopicsItem2Required, total=False):
    # Omitted: derived from the name or the text.
    id: str
    # In what it is asked otherwise. Omitted: in nothing.
    collection: CollectionRule


class _WorkspaceFilePromptsItem2Required(TypedDict):
    text: str


class WorkspaceFilePromptsItem2(_WorkspaceFilePromptsItem2Required, total=False):
    # Omitted: derived from the name or the text.
    id: str
    # The name of a topic of the same file.
    topic: str
    # What it is filtered and grouped by in addition to its topic, such as `buying`.
    tags: List[str]
    # Omitted: whether the text mentions the brand.
    branded: bool
    # Omitted: false.
    paused: bool
    # In what it is asked otherwise. Omitted: in nothing.
    collection: CollectionRule


SourceClassRule = TypedDict("SourceClassRule", {
    "domain": "str",
    "class": "SourceClass",
}, total=True)


class _StatedFactRequired(TypedDict):
    # What it is a fact about, as the model calls it, such as `price`.
    aspect: str
    # What is true, such as `from $19 a month`.
    value: str


class StatedFact(_StatedFactRequired, total=False):
    # The first day, UTC, on which it is not true any more. Omitted: it stays true.
    until: str


class ReportFilters(TypedDict, total=False):
    providers: List[Provider]
    # Topics by name.
    topics: List[str]
    tags: List[str]
    regions: List[str]
    models: List[str]
    surfaces: List[Literal['api', 'web']]
    branded: bool


class _DeclaredReportRequired(TypedDict):
    # The title. Unique in the file.
    name: str
    # Whole UTC days before the day on which the report is made.
    period: str


class DeclaredReport(_DeclaredReportRequired, total=False):
    subtitle: str
    # In the order of the page. Omitted: all.
    sections: List[Literal['summary', 'course', 'changes', 'portrayal', 'sources', 'names', 'prompts', 'notes', 'measurement']]
    # `previous` unless said; `year`: the same a year before.
    compare: Literal['previous', 'year', 'none']
    # Omitted: all answers.
    filters: ReportFilters
    # `en` unless said.
    language: Literal['en', 'de']
    # A data URI of a PNG or JPEG of at most 65536 bytes.
    logo: str
    # Of headings and lines; it is made darker or lighter where it could not be read.
    colour: str
    # Shown above the figures.
    note: str
    # Minute, hour, day of month, month, day of week (UTC); minute and hour are one number each. Omitted: made on request alone.
    schedule: str
    # Whether sentences of answers are quoted. false unless said.
    evidence: bool


class _WorkspaceFileRequired(TypedDict):
    account: Union[str, WorkspaceFileAccount2]
    brand: Union[str, FileEntity]


class WorkspaceFile(_WorkspaceFileRequired, total=False):
    competitors: List[Union[str, FileEntity]]
    # When and of whom prompts are asked. Omitted: nobody is asked.
    collection: AccountCollection
    topics: List[Union[str, WorkspaceFileTopicsItem2]]
    prompts: List[Union[str, WorkspaceFilePromptsItem2]]
    # Views of the console. Omitted: they stay as they are.
    views: List[SavedView]
    # What happened when, for charts. Omitted: they stay as they are.
    notes: List[Note]
    # Classes of cited sources, which win. Omitted: they stay as they are.
    sources: List[SourceClassRule]
    # What is true of the brand, for claims. Omitted: they stay as they are.
    facts: List[StatedFact]
    # Names that lists of untracked names leave out. Omitted: they stay as they are.
    ignoredNames: List[str]
    # Reports that are made. Omitted: they stay as they are.
    reports: List[DeclaredReport]
    # What the account is found by among others. Omitted: they stay as they are.
    accountTags: List[str]


class DeclaredWorkspaceResponseAccount(TypedDict):
    id: str
    name: str


class DeclaredEntityAliasesItem(TypedDict):
    name: str
    caseSensitive: bool


DeclaredEntity = TypedDict("DeclaredEntity", {
    "id": "str",
    "name": "str",
    "caseSensitive": "bool",
    "aliases": "List[DeclaredEntityAliasesItem]",
    "domains": "List[str]",
    "except": "List[str]",
}, total=False)


class _DeclaredWorkspaceResponseTopicsItemRequired(TypedDict):
    id: str
    name: str


class DeclaredWorkspaceResponseTopicsItem(_DeclaredWorkspaceResponseTopicsItemRequired, total=False):
    # In what it is asked otherwise. Omitted: in nothing.
    collection: CollectionRule


class _DeclaredPromptRequired(TypedDict):
    id: str
    text: str
    paused: bool


class DeclaredPrompt(_DeclaredPromptRequired, total=False):
    # The name of one of `topics`. Omitted: it has none.
    topic: str
    # In alphabetical order. Omitted: none.
    tags: List[str]
    # Omitted: it is what the text says: true when it mentions the brand.
    branded: bool
    # In what it is asked otherwise. Omitted: in nothing.
    collection: CollectionRule


class _DeclaredWorkspaceResponseRequired(TypedDict):
    account: DeclaredWorkspaceResponseAccount
    brand: DeclaredEntity
    # In the order of the series: by name.
    competitors: List[DeclaredEntity]
    # By name.
    topics: List[DeclaredWorkspaceResponseTopicsItem]
    # By text.
    prompts: List[DeclaredPrompt]


class DeclaredWorkspaceResponse(_DeclaredWorkspaceResponseRequired, total=False):
    # When and of whom prompts are asked. Omitted: nobody is asked.
    collection: AccountCollection
    # Views of the console. Omitted: none.
    views: List[SavedView]
    # By date. Omitted: none.
    notes: List[Note]
    # Classes of cited sources. Omitted: none.
    sources: List[SourceClassRule]
    # What is true of the brand. Omitted: none.
    facts: List[StatedFact]
    # Names that lists of untracked names leave out. Omitted: none.
    ignoredNames: List[str]
    # Reports that are made. Omitted: none.
    reports: List[DeclaredReport]
    # What the account is found by among others. Omitted: none.
    accountTags: List[str]


class WorkspaceChange(TypedDict):
    kind: Literal['account', 'brand', 'competitor', 'topic', 'prompt']
    id: str
    # Of a prompt its text.
    name: str


class AppliedWorkspaceChanges(TypedDict):
    created: List[WorkspaceChange]
    updated: List[WorkspaceChange]
    retired: List[WorkspaceChange]
    # Those of `updated` that were retired before.
    returned: List[WorkspaceChange]


class AppliedWorkspace(TypedDict):
    accountId: str
    accountName: str
    # Accounts, entities, topics and prompts that are new.
    created: int
    # Those that changed, or were retired before.
    updated: int
    # Those that the file omits: stored, and no longer counted.
    retired: int
    # Those that are as before.
    unchanged: int
    changes: AppliedWorkspaceChanges
    # true: nothing was written.
    dryRun: bool
    # Recorded answers of the prompts that were retired.
    answersNoLongerCounted: int
    # Recorded answers of the prompts that were retired before.
    answersCountedAgain: int


class KeyRequest(TypedDict, total=False):
    # What the key is for. Omitted: empty.
    name: str
    # What the key may do: scopes of your own key. Omitted: `read`.
    scopes: List[Literal['read', 'import', 'manage', 'accounts', 'people']]
    # How long the key is valid. Null or omitted: until it is revoked.
    expiresIn: Optional[str]
    # Calls per second, at most those of your own key. Null or omitted: its rate.
    rate: Optional[str]
    # Calls per UTC day, at most those of your own key. Null or omitted: its quota.
    quota: Optional[Union[int, Literal['off']]]


class Key(TypedDict):
    # Identifies the key; may be logged.
    keyId: str
    name: str
    # What the key may do.
    scopes: List[Literal['read', 'import', 'manage', 'accounts', 'people']]
    createdAt: str
    # Null: it is valid until it is revoked.
    expiresAt: Optional[str]
    # Null: it is not revoked.
    revokedAt: Optional[str]
    # When it was last exchanged, to the minute. Null: it never was.
    lastUsedAt: Optional[str]
    # Calls per second. Null: the service's default.
    rate: Optional[str]
    # Calls per UTC day. Null: the service's default.
    quota: Optional[Union[int, Literal['off']]]
    # Calls that counted towards its quota on this UTC day, up to about a second ago. Null: it has no quota, and its calls are not counted.
    callsToday: Optional[int]
    # The name of the person whose key it is. Null: nobody's, or no longer known.
    person: Optional[str]


class KeysResponse(TypedDict):
    # Oldest first, the revoked and expired too; the latest 10000.
    keys: List[Key]


class StoredFilters(TypedDict, total=False):
    providers: List[Provider]
    # Only prompts of these topics. Cannot be combined with `promptIds`.
    topics: List[TopicFilter]
    # Only these prompts. Cannot be combined with `topics`.
    promptIds: List[str]
    regions: List[RegionFilter]
    # true: branded prompts only. false: non-branded only. Omitted: all.
    branded: bool
    # Only answers of these models, by their names as answers have them. Answers whose model is not known match only without this filter.
    models: List[str]
    # Only prompts with any of these tags, in any case, form of Unicode and spacing. May be combined with `topics` or `promptIds`.
    tags: List[str]
    # Only answers of these surfaces. Answers whose surface is not known match only without this filter.
    surfaces: List[Surface]


class _HookThresholdRequired(TypedDict):
    # The value of the brand that is watched.
    metric: Literal['mentions', 'visibility', 'citations', 'rank', 'shareOfVoice']


class HookThreshold(_HookThresholdRequired, total=False):
    # Less than this is told of. From 0 to 1, but for ranks.
    below: float
    # More than this is told of. Either `below` or `above` is given.
    above: float
    # Which answers the value is of. Omitted: all of these days.
    filters: StoredFilters
    # The last whole days (UTC) that the value is of; 28 unless said.
    days: int


class _HookRequestRequired(TypedDict):
    # Where events are sent: an https address that is not a private one, or mailto: and up to 20 comma-separated addresses of mailboxes.
    url: str


class HookRequest(_HookRequestRequired, total=False):
    # What is sent: json, the signed event; or what it says in words, as a message of Slack, Teams or Discord, or as a mail. Omitted: mail for a mailto address, else json.
    form: Literal['json', 'slack', 'teams', 'discord', 'mail']
    # Of what: the weekly digest, what moved, a threshold that was crossed, failing collection, a report that was made. Omitted: all.
    events: List[Literal['digest', 'moved', 'threshold-crossed', 'collection-failed', 'report-made']]
    # Values of the brand that are watched daily, for the event threshold-crossed.
    thresholds: List[HookThreshold]
    # What the webhook is for. Omitted: empty.
    name: str


class _ListedHookThresholdRequired(TypedDict):
    # The value of the brand that is watched.
    metric: Literal['mentions', 'visibility', 'citations', 'rank', 'shareOfVoice']
    # The last whole days (UTC) that the value is of; 28 unless said.
    days: int


class ListedHookThreshold(_ListedHookThresholdRequired, total=False):
    # Less than this is told of. From 0 to 1, but for ranks.
    below: float
    # More than this is told of. Either `below` or `above` is given.
    above: float
    # Which answers the value is of. Omitted: all of these days.
    filters: StoredFilters


class Hook(TypedDict):
    id: str
    url: str
    form: Literal['json', 'slack', 'teams', 'discord', 'mail']
    events: List[Literal['digest', 'moved', 'threshold-crossed', 'collection-failed', 'report-made']]
    thresholds: List[ListedHookThreshold]
    name: str
    createdAt: str
    # The name of the key, person or command's user that created it. Null: it was created before this was noted.
    createdBy: Optional[str]
    # When its receiver replied with 410, or the SMTP server refused all its mailboxes for good, which ends its deliveries until a test succeeds. Null: it is active.
    disabledAt: Optional[str]


class HooksResponse(TypedDict):
    # Oldest first.
    hooks: List[Hook]


class DeliveryAttemptsItem(TypedDict):
    at: str
    # The status of the reply, or the SMTP server's code. Null: there was none.
    status: Optional[int]
    durationMs: int
    # Why the attempt failed, or that a mail reached some addresses. Null: it succeeded.
    error: Optional[str]


class Delivery(TypedDict):
    # The header webhook-id of every attempt.
    id: str
    event: Literal['test', 'digest', 'moved', 'threshold-crossed', 'collection-failed', 'report-made']
    createdAt: str
    state: Literal['pending', 'delivered', 'failed']
    # Null: there is no further attempt.
    nextAttemptAt: Optional[str]
    # Oldest first; at most 6.
    attempts: List[DeliveryAttemptsItem]


class DeliveriesResponse(TypedDict):
    # Newest first: the latest 200 of the last 30 days.
    deliveries: List[Delivery]


class CollectionRequestTopicsItem(TypedDict):
    id: str


class CollectionRequest(TypedDict, total=False):
    # Only these prompts. Not together with `topics`.
    promptIds: List[str]
    # Only prompts of these topics. Not together with `promptIds`. Omitted: all.
    topics: List[CollectionRequestTopicsItem]
    # Asks these, as the workspace says or else in the usual way. Omitted: those that the workspace says of each prompt.
    providers: List[Literal['GEMINI', 'OPENAI', 'ANTHROPIC', 'PERPLEXITY', 'GROK', 'GOOGLE_AI_MODE', 'GOOGLE_AI_OVERVIEW', 'COPILOT']]
    # Asks for these, in place of what the workspace says.
    regions: List[str]
    # How often each prompt is asked, in place of what the workspace says.
    samples: int
    # true: says what it would ask and cost, and sends no question.
    dryRun: bool


class CollectionEstimateSkippedItem(TypedDict):
    # Who is asked: the provider itself, or a vendor of what its page shows. `reader`: the model that reads answers of the provider.
    vendor: Literal['openai', 'anthropic', 'gemini', 'perplexity', 'xai', 'dataforseo', 'serpapi', 'cloro', 'reader']
    # For people.
    reason: str


class _CollectionEstimateRequired(TypedDict):
    provider: Provider
    # `api`: the provider's interface for programs. `web`: its page for people.
    surface: Literal['api', 'web']
    # Who is asked: the provider itself, or a vendor of what its page shows. `reader`: the model that reads answers of the provider.
    vendor: Literal['openai', 'anthropic', 'gemini', 'perplexity', 'xai', 'dataforseo', 'serpapi', 'cloro', 'reader']
    # Questions: prompts × regions × samples.
    jobs: int
    # Paid requests.
    calls: int
    inputTokens: int
    outputTokens: int
    searches: int
    # US dollars.
    dollars: float
    # false: a price was not found in a copy of the vendor's own page.
    verified: bool
    # false: no process that collects has a credential of the vendor, and nothing of this is asked. In a dry run alone.
    hasCredential: bool


class CollectionEstimate(_CollectionEstimateRequired, total=False):
    # Models without a price of their own, which cost as the vendor's dearest. Omitted: none.
    unlistedModels: List[str]
    # Vendors that would be asked first, in their order, and why they are not. Omitted: none.
    skipped: List[CollectionEstimateSkippedItem]


class UnansweredJobs(TypedDict):
    provider: Provider
    # `api`: the provider's interface for programs. `web`: its page for people.
    surface: Literal['api', 'web']
    # Who is asked: the provider itself, or a vendor of what its page shows. `reader`: the model that reads answers of the provider.
    vendor: Literal['openai', 'anthropic', 'gemini', 'perplexity', 'xai', 'dataforseo', 'serpapi', 'cloro', 'reader']
    # For people.
    reason: str
    jobs: int


class _StartedCollectionRequired(TypedDict):
    # The sweep. Null: it was a dry run.
    id: Optional[str]
    # Of all estimates together, also of those without a credential.
    jobs: int
    # Of all estimates together, also of those without a credential.
    dollars: float
    # The day of the price list: YYYY-MM-DD.
    pricesDate: str
    # By provider and surface.
    estimates: List[CollectionEstimate]
    # Jobs that will have no answer: nobody has a credential of the vendor, or the vendor does not take what is asked. The latter are not estimated, the former in a dry run alone.
    unanswered: List[UnansweredJobs]


class StartedCollection(_StartedCollectionRequired, total=False):
    # For people: a cap that is below what one question may cost, a model without a price. Omitted: none.
    warnings: List[str]


class CollectionPartFailedItem(TypedDict):
    reason: str
    jobs: int


class CollectionPartWarningsItem(TypedDict):
    reason: str
    answers: int


class CollectionPart(TypedDict):
    provider: Provider
    # `api`: the provider's interface for programs. `web`: its page for people.
    surface: Literal['api', 'web']
    # Who is asked: the provider itself, or a vendor of what its page shows. `reader`: the model that reads answers of the provider.
    vendor: Literal['openai', 'anthropic', 'gemini', 'perplexity', 'xai', 'dataforseo', 'serpapi', 'cloro', 'reader']
    jobs: int
    queued: int
    underWay: int
    # Answered.
    done: int
    # By reason, the most frequent first, at most 10.
    failed: List[CollectionPartFailedItem]
    # Sources that could not be read and were dropped, by reason, once the answers were read; the answers count. The most frequent first, at most 10.
    warnings: List[CollectionPartWarningsItem]
    # Why its answers look wrong beside those of earlier sweeps, for people: they do not count until an operator accepts them. Empty: they do not look wrong.
    suspicious: List[str]
    # Without an answer: so far, and for good once it is published.
    missing: int
    # US dollars.
    spentDollars: float
    # A cap of the day is reached: what is queued waits until then. Null: it does not.
    heldUntil: Optional[str]
    # When its answers began to count, all together. Null: they do not count yet.
    publishedAt: Optional[str]


class Collection(TypedDict):
    id: str
    # The time that it is of.
    slot: str
    # `schedule`: by the workspace's cadence. `now`: somebody asked for it.
    source: Literal['schedule', 'now']
    createdAt: str
    # When what is not answered is given up.
    deadline: str
    # Null: it was not.
    cancelledAt: Optional[str]
    # When its last part was published. Null: it is under way.
    endedAt: Optional[str]
    jobs: int
    # Answered.
    done: int
    # Without an answer: so far, and for good once it has ended.
    missing: int
    # US dollars.
    spentDollars: float
    # By provider, then surface.
    parts: List[CollectionPart]


class NextSlot(TypedDict):
    cron: str
    timeZone: str
    at: str


class VendorHealthLastError(TypedDict):
    at: str
    reason: str


class VendorHealth(TypedDict):
    # Who is asked: the provider itself, or a vendor of what its page shows. `reader`: the model that reads answers of the provider.
    vendor: Literal['openai', 'anthropic', 'gemini', 'perplexity', 'xai', 'dataforseo', 'serpapi', 'cloro', 'reader']
    # `ready`: it is asked. `no-credential`: no node that collects has one. `waiting`: for a limit or after failures. `stopped`: it refuses the credential or the balance. `suspicious`: it is asked, and answers of this account look wrong and are held back.
    state: Literal['ready', 'no-credential', 'waiting', 'stopped', 'suspicious']
    # When it is tried again. Null: it is ready, or unset.
    until: Optional[str]
    # Why it is not asked, or suspicious. Null: it is ready.
    reason: Optional[str]
    # The last failure that was the vendor's. Null: none since the nodes started.
    lastError: Optional[VendorHealthLastError]
    # Since the nodes started.
    requests: int
    # Of these, the ones that failed.
    failed: int
    # Answers whose reply did not say what it used: they cost what is expected.
    untold: int


class ProviderSpend(TypedDict):
    provider: Provider
    # Paid requests.
    calls: int
    # US dollars.
    dollars: float
    # The part of `dollars` that is assumed: by the expected usage, where a reply did not say what it used, or by the price of another model.
    assumedDollars: float
    # The most that what is under way costs in addition.
    reservedDollars: float
    # The most that calls cost whose reply never came: the vendor may have billed them.
    unsettledDollars: float
    # The part of `unsettledDollars` that those calls are expected to have cost: an hour after they were cut off, caps count no more than this.
    expectedDollars: float


class CollectionsResponseSpend(TypedDict):
    # Of this UTC day, by provider.
    today: List[ProviderSpend]
    # Of this UTC month, by provider.
    month: List[ProviderSpend]


class CollectionsResponse(TypedDict):
    # Newest first: the latest 50.
    collections: List[Collection]
    # When the workspace's cadences come next, the first first.
    next: List[NextSlot]
    # How many processes collect. 0: nothing is asked.
    collectors: int
    # Every vendor.
    vendors: List[VendorHealth]
    spend: CollectionsResponseSpend


EvidenceRole = Literal["mentioned", "cited", "visible", "notVisible", "any", "both", "mentionedOnly", "citedOnly", "recommended", "praised", "criticized", "discouraged", "notFound"]


class _EvidenceRequestRequired(TypedDict):
    role: EvidenceRole
    filters: InsightFilters


class EvidenceRequest(_EvidenceRequestRequired, total=False):
    # The brand or a competitor. Omitted: any of them; with notVisible none, with mentionedOnly some mentioned and none cited, with citedOnly some cited and none mentioned.
    entityId: str
    # Only answers that cite a page of this registrable domain.
    domain: str
    # Only answers that cite this page, in any spelling with the same canonical URL.
    url: str
    # Answers on the page; fewer when their texts are large.
    limit: int
    # `nextCursor` of the page before, with the same filters, entity, role and source.
    cursor: str
    exclude: Exclude


class EvidenceAnswerCost(TypedDict):
    # In whole units of the currency, such as dollars.
    amount: float
    # ISO 4217: three capitals.
    currency: str
    # Worked out from a price list. false: the vendor said it.
    estimated: bool


class Cue(TypedDict):
    flag: PortrayalFlag
    # Where they begin in `text`, in UTF-16 units.
    start: int
    # Where they end, exclusive.
    end: int
    # The sentence in which they are, as [start, end).
    sentence: List[Any]
    # The pages behind that sentence: places in the answer's `citations`, from 0. Empty: none, or not known.
    citations: List[int]


class Mention(TypedDict):
    entityId: str
    # The name or alias that matched, as the workspace has it.
    name: str
    # Where it begins in `text`, in UTF-16 units.
    start: int
    # Where it ends, exclusive.
    end: int
    # The entity's rank in the answer, from 1.
    rank: int
    # What the answer says of the entity, at the mention nearest to the words; the first 2,000 of the answer.
    cues: List[Cue]


class Statement(TypedDict):
    # Where it begins in `text`, in UTF-16 units.
    start: int
    # Where it ends, exclusive; links and marks after it belong to it.
    end: int
    # Places in `citations`, from 0.
    citations: List[int]


class CitationOwner(TypedDict):
    entityId: str
    # The entity's domain, with its path where it has one.
    rule: str


class EvidenceCitation(TypedDict):
    # As the provider gave it.
    url: str
    # Null: not an http or https URL.
    canonicalUrl: Optional[str]
    # Null: not an http or https URL.
    domain: Optional[str]
    # The entities that own the URL, each once.
    entityIds: List[str]
    # The same, once for each domain that matched.
    owners: List[CitationOwner]
    # Whether the metrics count it.
    counted: bool
    # Why it does not count: retrieved and not cited, no web URL, the page was cited before in the answer, or the answer itself does not count. Null: it counts.
    reason: Optional[Literal['not_cited', 'not_a_web_url', 'repeated', 'not_answered']]
    # The parts of `text` that the citation stands behind, as [start, end) in UTF-16 units, in order and disjoint. Empty: not known, or the text was removed.
    spans: List[List[Any]]


class EvidenceAnswer(TypedDict):
    id: str
    promptId: str
    provider: Provider
    # Two upper-case letters. Null: no region.
    region: Optional[str]
    answeredAt: str
    model: Optional[str]
    surface: Optional[Literal['api', 'web']]
    # Through whom the provider was asked. Null: not known.
    vendor: Optional[str]
    # The region that was asked for, two upper-case letters. Null: none was, or it is not known. `region` may still be one, which the vendor assumes.
    requestedRegion: Optional[str]
    # What the provider searched for, in order. Empty: not known, or removed.
    searchQueries: List[str]
    # Null: not known.
    cost: Optional[EvidenceAnswerCost]
    # As recorded: untrusted Markdown. Empty when it was removed.
    text: str
    # Whether the text was removed for its age. The answer counts as it did before.
    textRemoved: bool
    # The entities that it mentions, in order of rank; known of a removed text too.
    mentionedEntityIds: List[str]
    # In the order of the text. Empty without text.
    mentions: List[Mention]
    # Mentions after these: an answer has 2,000 here at most.
    mentionsOmitted: int
    # The sentences that citations stand behind, by their `spans`, in the order of the text; at most 2,000 pairs of both. Empty: no spans are known, or the text was removed.
    statements: List[Statement]
    # In the order recorded.
    citations: List[EvidenceCitation]
    # Citations after these that are left out.
    citationsOmitted: int


class EvidenceResponse(TypedDict):
    # All answers of the list, on every page the same.
    total: int
    # Newest first.
    answers: List[EvidenceAnswer]
    # For the next page. Null: this is the last.
    nextCursor: Optional[str]


class RecordedAnswerResponseCost(TypedDict):
    # In whole units of the currency, such as dollars.
    amount: float
    # ISO 4217: three capitals.
    currency: str
    # Worked out from a price list. false: the vendor said it.
    estimated: bool


class RecordedCitation(TypedDict):
    # As the provider gave it.
    url: str
    # Null: not an http or https URL.
    canonicalUrl: Optional[str]
    # Null: not an http or https URL.
    domain: Optional[str]
    # The entities that own the URL, each once.
    entityIds: List[str]
    # The same, once for each domain that matched.
    owners: List[CitationOwner]
    # Whether the metrics count it.
    counted: bool
    # Why it does not count: retrieved and not cited, no web URL, the page was cited before in the answer, or the answer itself does not count. Null: it counts.
    reason: Optional[Literal['not_cited', 'not_a_web_url', 'repeated', 'not_answered']]
    # The parts of `text` that the citation stands behind, as [start, end) in UTF-16 units, in order and disjoint. Empty: not known, or the text was removed.
    spans: List[List[Any]]
    title: Optional[str]
    # As recorded. false: retrieved and not cited.
    cited: bool


class RecordedAnswerResponse(TypedDict):
    id: str
    promptId: str
    provider: Provider
    # Two upper-case letters. Null: no region.
    region: Optional[str]
    answeredAt: str
    model: Optional[str]
    surface: Optional[Literal['api', 'web']]
    # Through whom the provider was asked. Null: not known.
    vendor: Optional[str]
    # The region that was asked for, two upper-case letters. Null: none was, or it is not known. `region` may still be one, which the vendor assumes.
    requestedRegion: Optional[str]
    # What the provider searched for, in order. Empty: not known, or removed.
    searchQueries: List[str]
    # Null: not known.
    cost: Optional[RecordedAnswerResponseCost]
    # As recorded: untrusted Markdown. Empty when it was removed.
    text: str
    # Whether the text was removed for its age. The answer counts as it did before.
    textRemoved: bool
    # The entities that it mentions, in order of rank; known of a removed text too.
    mentionedEntityIds: List[str]
    # In the order of the text. Empty without text.
    mentions: List[Mention]
    # Mentions after these: an answer has 2,000 here at most.
    mentionsOmitted: int
    # The sentences that citations stand behind, by their `spans`, in the order of the text; at most 2,000 pairs of both. Empty: no spans are known, or the text was removed.
    statements: List[Statement]
    # In the order recorded.
    citations: List[RecordedCitation]
    # Citations after these that are left out.
    citationsOmitted: int
    # Only answered counts. Another has no mentions here. refused: the provider replied that it does not answer this.
    outcome: Literal['answered', 'absent', 'failed', 'refused']
    sample: int
    # As recorded.
    metadata: Optional[Dict[str, Any]]


class FieldError(TypedDict):
    # JSON Pointer (RFC 6901) into the request's body.
    path: str
    code: str
    # What the value must be, and what was sent.
    message: str


class _ProblemRequired(TypedDict):
    # Relative link to the code's documentation page.
    type: str
    title: str
    status: int
    # What happened, and what to do.
    detail: str
    # A later version may have more: go by the status.
    code: Literal['malformed_json', 'invalid_request', 'malformed_http', 'session_required', 'session_invalid', 'key_invalid', 'origin_not_allowed', 'scope_missing', 'not_from_console', 'not_found', 'answer_not_found', 'method_not_allowed', 'collection_off', 'request_timeout', 'precondition_failed', 'payload_too_large', 'unsupported_media_type', 'host_not_allowed', 'rate_limited', 'quota_exhausted', 'headers_too_large', 'internal_error', 'storage_full', 'facts_not_ready', 'overloaded', 'deadline_exceeded', 'shutting_down']
    # Equal to the X-Request-Id field and to the service's log.
    requestId: str


class Problem(_ProblemRequired, total=False):
    # With status 400: what is wrong, field by field.
    errors: List[FieldError]
    # On the exchange: `code`, as Descope names it.
    errorCode: str
    # On the exchange: `title`.
    errorDescription: str
    # On the exchange: `detail`.
    errorMessage: str


class CreatedKeyResponse(TypedDict):
    # Identifies the key; may be logged.
    keyId: str
    name: str
    # What the key may do.
    scopes: List[Literal['read', 'import', 'manage', 'accounts', 'people']]
    createdAt: str
    # Null: it is valid until it is revoked.
    expiresAt: Optional[str]
    # Null: it is not revoked.
    revokedAt: Optional[str]
    # When it was last exchanged, to the minute. Null: it never was.
    lastUsedAt: Optional[str]
    # Calls per second. Null: the service's default.
    rate: Optional[str]
    # Calls per UTC day. Null: the service's default.
    quota: Optional[Union[int, Literal['off']]]
    # Calls that counted towards its quota on this UTC day, up to about a second ago. Null: it has no quota, and its calls are not counted.
    callsToday: Optional[int]
    # The name of the person whose key it is. Null: nobody's, or no longer known.
    person: Optional[str]
    # The key. A secret, which is not stored and not shown again.
    key: str


class CreatedHookResponse(TypedDict):
    id: str
    url: str
    form: Literal['json', 'slack', 'teams', 'discord', 'mail']
    events: List[Literal['digest', 'moved', 'threshold-crossed', 'collection-failed', 'report-made']]
    thresholds: List[ListedHookThreshold]
    name: str
    createdAt: str
    # The name of the key, person or command's user that created it. Null: it was created before this was noted.
    createdBy: Optional[str]
    # When its receiver replied with 410, or the SMTP server refused all its mailboxes for good, which ends its deliveries until a test succeeds. Null: it is active.
    disabledAt: Optional[str]
    # What verifies the signatures of its deliveries: whsec_ and base64. Shown once. Mails are not signed.
    secret: str


DigestEventDataTimeRange = TypedDict("DigestEventDataTimeRange", {
    "from": "str",
    "to": "str",
}, total=True)


DigestEventDataCompareTimeRange = TypedDict("DigestEventDataCompareTimeRange", {
    "from": "str",
    "to": "str",
}, total=True)


class DigestEventDataCompare(TypedDict):
    """The 7 days before."""

    timeRange: DigestEventDataCompareTimeRange


class DigestEventData(TypedDict):
    # The last whole ISO week, from Monday; `to` is not included.
    timeRange: DigestEventDataTimeRange
    # The 7 days before.
    compare: DigestEventDataCompare
    # In so many of a year's digests, at most, chance alone calls a change moved: 0.05 × 52.
    expectedFalse: float
    # As POST /v1/insights/summary replies, by none and without portrayal.
    summary: InsightsSummaryResponse


class DigestEvent(TypedDict):
    # As the header webhook-id: the same each time the event is sent.
    id: str
    # When the event was made.
    timestamp: str
    type: Literal['digest']
    data: DigestEventData


MovedEventDataTimeRange = TypedDict("MovedEventDataTimeRange", {
    "from": "str",
    "to": "str",
}, total=True)


MovedEventDataCompareTimeRange = TypedDict("MovedEventDataCompareTimeRange", {
    "from": "str",
    "to": "str",
}, total=True)


class MovedEventDataCompare(TypedDict):
    """The 7 days before."""

    timeRange: MovedEventDataCompareTimeRange


class MovedEventDataEntity(TypedDict):
    """The brand."""

    id: str
    name: str


class _MovedEventDataMetricsItemRequired(TypedDict):
    metric: Literal['mentions', 'visibility', 'citations', 'rank', 'shareOfVoice']
    # numerator / denominator. Null: denominator is 0.
    value: Optional[float]
    numerator: int
    denominator: int
    # As many prompts with equally many answers would tell as much: (Σn)² / Σn² over the prompts' denominators n, rounded.
    effectivePrompts: int
    # Null: no value, fewer than 6 effective prompts, or a rank that all prompts agree on.
    interval: Optional[ConfidenceInterval]
    # insufficient: fewer than 6 effective prompts. noVariation: all prompts agree. exploratory: fewer than 50 effective prompts.
    flags: List[Literal['insufficient', 'noVariation', 'exploratory']]


class MovedEventDataMetricsItem(_MovedEventDataMetricsItemRequired, total=False):
    # Present when the request has `compare`.
    change: Change
    # Present when the request includes it. Null: fewer than 5 whole weeks, or no prompt has answers in all of them.
    trend: Optional[Trend]
    # Present of mentions, citations and what is said of an entity, when the request includes it.
    extraction: Extraction


class MovedEventData(TypedDict):
    # The last 7 whole days; `to` is not included.
    timeRange: MovedEventDataTimeRange
    # The 7 days before.
    compare: MovedEventDataCompare
    # The brand.
    entity: MovedEventDataEntity
    # As in a summary; those whose verdict is moved, in one direction of the like-for-like change, on three daily looks in succession, this being the latest.
    metrics: List[MovedEventDataMetricsItem]
    # How many changes of the comparison are tested.
    tests: int


class MovedEvent(TypedDict):
    # As the header webhook-id: the same each time the event is sent.
    id: str
    # When the event was made.
    timestamp: str
    type: Literal['moved']
    data: MovedEventData


class CollectionFailedEventDataReasonsItem(TypedDict):
    reason: str
    jobs: int


class _CollectionFailedEventDataRequired(TypedDict):
    provider: Literal['GEMINI', 'OPENAI', 'ANTHROPIC', 'PERPLEXITY', 'GROK', 'GOOGLE_AI_MODE', 'GOOGLE_AI_OVERVIEW', 'COPILOT']
    surface: Literal['api', 'web']
    # Sweeps in succession without any answer that counts.
    failedSweeps: int
    # The latest of them.
    sweepId: str
    # When it was due.
    slot: str
    # How many answers it was to have of this provider.
    jobs: int
    # Why there are none: the most frequent reasons first, at most 10.
    reasons: List[CollectionFailedEventDataReasonsItem]


class CollectionFailedEventData(_CollectionFailedEventDataRequired, total=False):
    # The sweep has answers that look wrong: they do not count unless accepted.
    heldBack: Literal[True]


class CollectionFailedEvent(TypedDict):
    # As the header webhook-id: the same each time the event is sent.
    id: str
    # When the event was made.
    timestamp: str
    type: Literal['collection-failed']
    data: CollectionFailedEventData


class TestEventData(TypedDict):
    message: str


class TestEvent(TypedDict):
    # As the header webhook-id: the same each time the event is sent.
    id: str
    # When the event was made.
    timestamp: str
    type: Literal['test']
    data: TestEventData


class AuditActor(TypedDict):
    # `key`: a caller of the API, or of the console with a key; `person`: somebody who is signed in; `link`: the reader of a shared address; `command`: a user of a command on the data; `service`: the service by itself.
    kind: Literal['key', 'person', 'link', 'command', 'service']
    # The id of the key, person or link. Null: it has none.
    id: Optional[str]
    # The name of the key, person or link, or the user's of the operating system.
    name: str
    # `X-Request-Id` of the call. Null: there was none.
    requestId: Optional[str]


class AuditEntry(TypedDict):
    # 1 for the account's first entry, without gaps.
    sequence: int
    at: str
    actor: AuditActor
    action: Literal['workspace.applied', 'key.created', 'key.revoked', 'answers.imported', 'import.undone', 'answers.removed', 'texts.removed', 'labels.stored', 'labels.removed', 'link.created', 'link.revoked', 'webhook.created', 'webhook.deleted', 'webhook.disabled', 'webhook.enabled', 'credential.stored', 'credential.deleted', 'collection.started', 'collection.cancelled', 'collection.accepted', 'report.made', 'report.superseded', 'account.created', 'account.deleted', 'account.arrived', 'invitation.created', 'invitation.withdrawn', 'person.joined', 'person.changed', 'person.removed', 'person.link_created']
    # The id of what was changed. Null: the account, or several things.
    subject: Optional[str]
    # What was there. Null: nothing.
    before: Optional[Dict[str, Any]]
    # What is there now. Null: nothing.
    after: Optional[Dict[str, Any]]
    # SHA-256 of the entry and of the hash of the entry before it.
    hash: str


class AuditResponse(TypedDict):
    # Newest first.
    entries: List[AuditEntry]
    # For the next page. Null: this is the last.
    nextCursor: Optional[str]


LifeGrouping = Literal["class", "provider", "domain", "page"]


class _CitationLifeRequestRequired(TypedDict):
    by: LifeGrouping
    filters: InsightFilters


class CitationLifeRequest(_CitationLifeRequestRequired, total=False):
    exclude: Exclude
    # Groups that are listed, those with the most citations first.
    limit: int


class CitationLifeGroupMedianInterval(TypedDict):
    low: float
    high: Optional[float]


class CitationLifeGroupSurvival28(TypedDict):
    # The share that lasts longer than 28 days. Null: none is known to.
    value: Optional[float]
    # Null: no value, or it is 0 or 1.
    interval: Optional[ConfidenceInterval]


class CitationLifeGroup(TypedDict):
    # A class of sources, a provider, a domain or a page.
    key: str
    # Lives: of a page in the answers of one provider in one region to one prompt, from a day that cites it until it is missing on two days of answers in a row.
    citations: int
    # Lives that began after the first day of answers to their prompt.
    won: int
    # Lives that ended in the range. The others last until its end.
    lost: int
    # The day by which half have ended (Kaplan and Meier). Null: fewer have.
    medianDays: Optional[float]
    # Its 95 % interval; `high` null: it has no upper bound. Null: it has none at all.
    medianInterval: Optional[CitationLifeGroupMedianInterval]
    survival28: CitationLifeGroupSurvival28


class CitationLifeResponseAllMedianInterval(TypedDict):
    low: float
    high: Optional[float]


class CitationLifeResponseAllSurvival28(TypedDict):
    # The share that lasts longer than 28 days. Null: none is known to.
    value: Optional[float]
    # Null: no value, or it is 0 or 1.
    interval: Optional[ConfidenceInterval]


class CitationLifeResponseAll(TypedDict):
    """Of all citations together."""

    # Lives: of a page in the answers of one provider in one region to one prompt, from a day that cites it until it is missing on two days of answers in a row.
    citations: int
    # Lives that began after the first day of answers to their prompt.
    won: int
    # Lives that ended in the range. The others last until its end.
    lost: int
    # The day by which half have ended (Kaplan and Meier). Null: fewer have.
    medianDays: Optional[float]
    # Its 95 % interval; `high` null: it has no upper bound. Null: it has none at all.
    medianInterval: Optional[CitationLifeResponseAllMedianInterval]
    survival28: CitationLifeResponseAllSurvival28


class CitationLifeResponse(TypedDict):
    by: LifeGrouping
    # Of all citations together.
    all: CitationLifeResponseAll
    # Those with the most citations first.
    groups: List[CitationLifeGroup]
    # Groups, those that are not listed included.
    total: int
    # Null: some answer that passes the filters cites a page.
    empty: Optional[Empty]


ContributionGrouping = Literal["prompt", "topic", "provider", "region", "domain", "model", "surface", "tag"]


ChangesMetric = Literal["mentions", "visibility", "citations", "rank", "shareOfVoice", "recommended", "praised", "criticized", "discouraged", "notFound"]


class _InsightsChangesRequestRequired(TypedDict):
    entityId: str
    metric: ChangesMetric
    # What the change is divided by. domain: the cited domains of the answers that count; only for mentions, visibility and citations.
    by: ContributionGrouping
    # The most contributions that are listed.
    limit: int
    compare: Compare
    filters: InsightFilters


class InsightsChangesRequest(_InsightsChangesRequestRequired, total=False):
    exclude: Exclude
    # The least like-for-like difference of two fractions that is called moved; 0.02 unless said.
    threshold: float
    # The least like-for-like difference of two mean ranks that is called moved; 0.1 unless said.
    rankThreshold: float
    # facts: by what answers the numbers of the reply were measured.
    include: List[Literal['facts']]


class ContributionSide(TypedDict):
    # numerator / denominator. Null: denominator is 0.
    value: Optional[float]
    # Whole, but by domain and tag: an answer that cites several domains, or whose prompt has several tags, gives each an equal part of itself.
    numerator: float
    # By domain that of the whole value; by tag divided as the numerator.
    denominator: float


class Contribution(TypedDict):
    """A contribution is not a test: it has no p and no verdict."""

    # A prompt's or topic's id, a provider, a region, a domain, a model, a surface or a tag. Null: answers without one, whose model or surface is not known, or that cite nothing.
    key: Optional[str]
    # What it is called today.
    name: str
    # All contributions, with `rest`, add up to the `value` of the reply.
    value: float
    # Of it, by another value of its own. 0 where it is on one side only.
    within: float
    # Of it, by another share of the answers.
    mix: float
    # On the side of `compare`.
    before: ContributionSide
    after: ContributionSide


class ContributionRest(TypedDict):
    # How many there are.
    contributions: int
    # All contributions, with `rest`, add up to the `value` of the reply.
    value: float
    # Of it, by another value of its own. 0 where it is on one side only.
    within: float
    # Of it, by another share of the answers.
    mix: float
    # On the side of `compare`.
    before: ContributionSide
    after: ContributionSide


class _InsightsChangesResponseRequired(TypedDict):
    metric: ChangesMetric
    by: ContributionGrouping
    # That of `change`. Null: a side has no value.
    value: Optional[float]
    # Null: no prompt has answers on both sides.
    parts: Optional[ChangeParts]
    # The change as the only test of the reply.
    change: Change
    # By size, the largest first.
    contributions: List[Contribution]
    rest: ContributionRest
    # Null: there is something to say.
    empty: Optional[Empty]
    compare: Compared


class InsightsChangesResponse(_InsightsChangesResponseRequired, total=False):
    # Present when the request includes it.
    facts: MeasurementFacts


SummaryMetric = Literal["mentions", "visibility", "citations", "rank", "shareOfVoice"]


class _InsightsPlanRequestRequired(TypedDict):
    entityId: str
    metric: SummaryMetric
    # The window and its answers; how they vary is also seen from the window before it.
    filters: InsightFilters


class InsightsPlanRequest(_InsightsPlanRequestRequired, total=False):
    # The change that is to be seen, at most 1 but for ranks; 0.05 unless said, of ranks 0.5.
    change: float
    # How probable it is that the change is seen; 0.8 unless said.
    power: float
    # Answers to each prompt in a window, of all providers and regions together; 1, 2, 3, 7, 14, 28 unless said.
    answersPerPrompt: int
    # Plans for this value in place of the account's; for rates.
    rate: float
    # How alike answers to one prompt are, in place of the account's; for rates.
    correlation: float
    exclude: Exclude
    # facts: by what answers the numbers of the reply were measured.
    include: List[Literal['facts']]


class PlanOption(TypedDict):
    answersPerPrompt: int
    # The least number that shows the change. Null: more than a million.
    prompts: Optional[int]
    # prompts × answersPerPrompt, for one window.
    requests: Optional[int]
    # Of these requests in US dollars. Null: not every provider has a price.
    cost: Optional[float]
    # The least change that today's prompts show. Null: there are fewer than 6.
    leastChange: Optional[float]
    # Costs least, or asks least where a price is missing. False for ranks and shares of voice, whose prompts are those for as many answers each as today.
    isCheapest: bool


class InsightsPlanResponseNow(TypedDict):
    """What today's prompts show with as many answers as they have."""

    # The harmonic mean in the window. Null: for ranks and shares of voice.
    answersPerPrompt: Optional[float]
    # The least change that today's prompts show with these answers. Null as in the options.
    leastChange: Optional[float]


InsightsPlanResponseWindowsItem = TypedDict("InsightsPlanResponseWindowsItem", {
    "from": "str",
    "to": "str",
}, total=True)


class InsightsPlanResponsePricesItem(TypedDict):
    provider: Provider
    # Of the window's answers.
    share: float
    # US dollars an answer. Null: not known.
    cost: Optional[float]


class _InsightsPlanResponseRequired(TypedDict):
    metric: SummaryMetric
    # The value of both windows. Null: there is none.
    rate: Optional[float]
    # Of answers to one prompt within a window. Null: for ranks and shares of voice.
    withinVariance: Optional[float]
    # How alike answers to one prompt are: 0 to 1. Null where withinVariance is.
    correlation: Optional[float]
    # The variance of prompts' own changes. Null where withinVariance is.
    drift: Optional[float]
    # The variation was not measured: each prompt has one answer a window, or it is given.
    assumed: bool
    change: float
    power: float
    # Prompts with answers in the window.
    prompts: int
    # What today's prompts show with as many answers as they have.
    now: InsightsPlanResponseNow
    # Those that the variation was measured in, in UTC; `to` is not included.
    windows: List[InsightsPlanResponseWindowsItem]
    # Of the providers with answers in the window.
    prices: List[InsightsPlanResponsePricesItem]
    # By answers a prompt, ascending.
    options: List[PlanOption]
    # Null: the window has answers.
    empty: Optional[Empty]


class InsightsPlanResponse(_InsightsPlanResponseRequired, total=False):
    # Of the window of `filters`. Present when the request includes it.
    facts: MeasurementFacts


class _InsightsPresenceRequestRequired(TypedDict):
    # The brand or a competitor.
    entityId: str
    filters: InsightFilters


class InsightsPresenceRequest(_InsightsPresenceRequestRequired, total=False):
    exclude: Exclude
    compare: Compare
    # The least like-for-like difference of two fractions that is called moved; 0.02 unless said.
    threshold: float
    # facts: by what answers the numbers of the reply were measured.
    include: List[Literal['facts']]


class _InsightsPresenceResponseRequired(TypedDict):
    entityId: str
    # Answers that pass the filters.
    answers: int
    # Prompts that they answer.
    prompts: int
    # Answers that mention it and cite it / answers.
    both: EstimatedValue
    # Answers that mention it alone / answers.
    mentionedOnly: EstimatedValue
    # Answers that cite it and do not name it / answers.
    citedOnly: EstimatedValue
    # Answers that do neither / answers.
    neither: EstimatedValue
    # Null: there is something to say.
    empty: Optional[Empty]
    # How many changes of the reply are tested: those with an adjustedP.
    tests: int


class InsightsPresenceResponse(_InsightsPresenceResponseRequired, total=False):
    # Present when the request includes it.
    facts: MeasurementFacts
    # Present when the request has `compare`.
    compare: Compared


class Label(TypedDict):
    # The answer that was read.
    answerId: str
    # The brand or a competitor.
    entityId: str
    # What it is about: whether the answer mentions the entity, cites it, or says this of it.
    metric: Literal['mentions', 'citations', 'recommended', 'praised', 'criticized', 'discouraged', 'notFound']
    # true: the answer does. false: it does not.
    value: bool
    # Who says so: a name of at most 100 characters.
    labeller: str
    # When it was said.
    labelledAt: str


class ImportLabelsResponse(TypedDict):
    # Lines whose labels are stored now.
    accepted: int
    # Lines that change nothing: the labeller said so before, or something else later.
    duplicates: int
    # Lines that were not recorded.
    rejected: int
    # Every fault of the first 100 rejected lines, in the order of the body.
    errors: List[LineError]


class LabelsResponse(TypedDict):
    # By answer, entity, metric and labeller.
    labels: List[Label]
    # For the next page. Null: this is the last.
    nextCursor: Optional[str]


class DeletedLabels(TypedDict):
    # Labels that were removed.
    deleted: int


class _LabelSampleRequestRequired(TypedDict):
    # The brand or a competitor.
    entityId: str
    # What it is about: whether the answer mentions the entity, cites it, or says this of it.
    metric: Literal['mentions', 'citations', 'recommended', 'praised', 'criticized', 'discouraged', 'notFound']
    filters: InsightFilters


class LabelSampleRequest(_LabelSampleRequestRequired, total=False):
    # How many answers are drawn. A larger draw begins with those of a smaller one.
    limit: int
    # The same seed draws the same answers of the same record; another draws others.
    seed: int
    exclude: Exclude


class LabelSampleResponseSampleItem(TypedDict):
    answerId: str
    promptId: str


class LabelSampleResponse(TypedDict):
    # Answers that could be drawn: those that pass the filters and have a text; for what is said, those of them that mention the entity and were read.
    answers: int
    # Prompts that they answer.
    prompts: int
    # In the order of the draw, which is by prompt: each prompt has the same chance, and none comes again before all others have. Fewer than `limit` when there are no more answers.
    sample: List[LabelSampleResponseSampleItem]


class LinkFilters(TypedDict, total=False):
    providers: List[Provider]
    # Only prompts of these topics. Cannot be combined with `promptIds`.
    topics: List[TopicFilter]
    # Only these prompts. Cannot be combined with `topics`.
    promptIds: List[str]
    regions: List[RegionFilter]
    # true: branded prompts only. false: non-branded only. Omitted: all.
    branded: bool
    # Only answers of these models, by their names as answers have them. Answers whose model is not known match only without this filter.
    models: List[str]
    # Only prompts with any of these tags, in any case, form of Unicode and spacing. May be combined with `topics` or `promptIds`.
    tags: List[str]
    # Only answers of these surfaces. Answers whose surface is not known match only without this filter.
    surfaces: List[Surface]


class _LinkViewRequired(TypedDict):
    # csv: overview or sources. image: overview.
    page: Literal['overview', 'portrayal', 'sources', 'prompts']
    # A period of the calendar or up to the newest answer, which goes on, or two UTC dates, which stay: both are inside.
    period: str


class LinkView(_LinkViewRequired, total=False):
    # previous: the period before. year-ago: the same then. none. A date: the period of the same length from then on. Omitted: previous.
    compare: str
    filters: LinkFilters
    exclude: Exclude
    # Of the course over time. Omitted: mentions.
    metric: Literal['mentions', 'overall-visibility', 'citations', 'rank']
    # The length of a bucket of that course. Omitted: what suits the period.
    interval: Literal['daily', 'weekly', 'monthly']


class _LinkRequestRequired(TypedDict):
    # Whom it is for, or what it shows. Recipients see it as the title; a report has its own.
    name: str
    # view: a page. csv: a table. image: a picture, as SVG. report: a made report.
    kind: Literal['view', 'csv', 'image', 'report']


class LinkRequest(_LinkRequestRequired, total=False):
    # Required, except for the kind report, which has none.
    view: LinkView
    # A report that was made. Required for the kind report; the other kinds have none.
    reportId: str
    # Whether a page shows texts of answers. Omitted: false. Only of kind view.
    showsEvidence: bool
    # What recipients have to type. Omitted: nothing. Only of kinds view and report.
    password: str
    # How long the link is valid. Null or omitted: until it is revoked.
    expiresIn: Optional[str]


class Link(TypedDict):
    # Identifies the link; may be logged.
    linkId: str
    name: str
    kind: Literal['view', 'csv', 'image', 'report']
    # Null: it shows a report.
    view: Optional[LinkView]
    # The report that it shows. Null: it shows a view.
    reportId: Optional[str]
    # Whether it shows texts of answers, as a report may.
    showsEvidence: bool
    hasPassword: bool
    createdAt: str
    # The name of the key, person or command's user that made it.
    createdBy: str
    # The key that made it, and with which it ends. Null: no key did.
    keyId: Optional[str]
    # Null: it is valid until it is revoked.
    expiresAt: Optional[str]
    # Null: it is not revoked.
    revokedAt: Optional[str]
    # When it was last opened, to the minute. Null: it never was.
    lastUsedAt: Optional[str]
    # How often it was opened, up to about a minute ago.
    uses: int
    # valid; revoked; expired; makerEnded: the key that made it is revoked or expired, or the person that made it may not make links any more.
    state: Literal['valid', 'revoked', 'expired', 'makerEnded']


class CreatedLinkResponse(TypedDict):
    # Identifies the link; may be logged.
    linkId: str
    name: str
    kind: Literal['view', 'csv', 'image', 'report']
    # Null: it shows a report.
    view: Optional[LinkView]
    # The report that it shows. Null: it shows a view.
    reportId: Optional[str]
    # Whether it shows texts of answers, as a report may.
    showsEvidence: bool
    hasPassword: bool
    createdAt: str
    # The name of the key, person or command's user that made it.
    createdBy: str
    # The key that made it, and with which it ends. Null: no key did.
    keyId: Optional[str]
    # Null: it is valid until it is revoked.
    expiresAt: Optional[str]
    # Null: it is not revoked.
    revokedAt: Optional[str]
    # When it was last opened, to the minute. Null: it never was.
    lastUsedAt: Optional[str]
    # How often it was opened, up to about a minute ago.
    uses: int
    # valid; revoked; expired; makerEnded: the key that made it is revoked or expired, or the person that made it may not make links any more.
    state: Literal['valid', 'revoked', 'expired', 'makerEnded']
    # Where the link leads: a secret, since everybody who has it sees what the link shows. Only its hash is stored, and it is not shown again.
    address: str


class LinksResponse(TypedDict):
    # Newest first, those that ended too.
    links: List[Link]
    # For the next page. Null: this is the last.
    nextCursor: Optional[str]


class _InvitationRequestRequired(TypedDict):
    # Whom the invitation is for.
    email: str
    # What the person will do: scopes of yours alone.
    role: Literal['viewer', 'analyst', 'manager', 'owner']


class InvitationRequest(_InvitationRequestRequired, total=False):
    # How long the invitation is valid, at most 30d. Omitted: 7d.
    expiresIn: str


class RoleRequest(TypedDict):
    # What the person does from now on.
    role: Literal['viewer', 'analyst', 'manager', 'owner']


class Person(TypedDict):
    personId: str
    email: str
    name: str
    role: Literal['viewer', 'analyst', 'manager', 'owner']
    joinedAt: str
    # When the person last asked, to the hour. Null: never.
    lastSeenAt: Optional[str]


class Invitation(TypedDict):
    invitationId: str
    email: str
    role: Literal['viewer', 'analyst', 'manager', 'owner']
    # The name of the person, key or user who invited.
    invitedBy: str
    createdAt: str
    expiresAt: str


class CreatedInvitationResponse(TypedDict):
    invitationId: str
    email: str
    role: Literal['viewer', 'analyst', 'manager', 'owner']
    # The name of the person, key or user who invited.
    invitedBy: str
    createdAt: str
    expiresAt: str
    # The page that accepts the invitation. A secret, which is not stored and not shown again. Without `SIGHTLINE_PUBLIC_URL` it begins at the root of the service: `/#invitation=...`.
    address: str


class PeopleResponse(TypedDict):
    # By e-mail address.
    people: List[Person]
    # Those that are open, newest first.
    invitations: List[Invitation]


class RemovedPersonResponse(TypedDict):
    personId: str
    email: str
    name: str
    role: Literal['viewer', 'analyst', 'manager', 'owner']
    joinedAt: str
    # When the person last asked, to the hour. Null: never.
    lastSeenAt: Optional[str]
    # The ids of the person's keys in this account, which were revoked.
    revokedKeys: List[str]


class _ReadingRequestRequired(TypedDict):
    # Which answers are read.
    filters: Filters


class ReadingRequest(_ReadingRequestRequired, total=False):
    # true: says what it would ask and cost, and sends nothing.
    dryRun: bool


class StartedReading(TypedDict):
    # The collection that asks. Null: a dry run, or there is nothing to read.
    id: Optional[str]
    # Of endpoint, model, parameters and prompt.
    reader: str
    # The model, as it is asked for.
    model: str
    # Answers to read.
    answers: int
    # Answers that this reader has read, or that are being read: they are not read again.
    alreadyRead: int
    # Answers that name nobody, or have no text or one of more than 100,000 characters.
    nothingToRead: int
    # One for each answer; every twentieth answer is read twice.
    requests: int
    # Expected: four bytes a token.
    inputTokens: int
    # Expected.
    outputTokens: int
    # Expected. Null: the price is not known.
    dollars: Optional[float]


class _ClaimsRequestRequired(TypedDict):
    filters: Filters


class ClaimsRequest(_ClaimsRequestRequired, total=False):
    # Omitted: that of the latest reading.
    reader: str
    # Aspects of each entity, by answers. Omitted: 20.
    limit: int
    # The entity whose aspects have `claims`. Omitted: no claims are quoted.
    quotesOf: str


class ModelReaderDroppedItem(TypedDict):
    reason: str
    findings: int


class ModelReaderAgreement(TypedDict):
    # Answers that were read twice.
    answers: int
    # Of an answer, an entity and a flag, that are compared.
    pairs: int
    # Krippendorff's α of the flags. Null: nothing is compared, or nothing varies.
    alpha: Optional[float]


class ModelReader(TypedDict):
    name: Literal['model']
    id: str
    # As it is asked for.
    model: str
    # As replies name it.
    models: List[str]
    promptVersion: int
    promptHash: str
    # As they were sent.
    parameters: Dict[str, Any]
    firstReadAt: str
    lastReadAt: str
    # What the readings cost.
    dollars: float
    # Answers that were read.
    answers: int
    # Findings that count.
    findings: int
    # Findings that do not count, by reason, the most frequent first.
    dropped: List[ModelReaderDroppedItem]
    agreement: ModelReaderAgreement


class QuotedClaim(TypedDict):
    answerId: str
    answeredAt: str
    provider: Provider
    kind: Literal['recommended', 'praised', 'criticized', 'discouraged', 'notFound', 'claim']
    # As it stands in the answer.
    quote: str
    # Pages that the answer cites in the line of the quote.
    pages: List[str]
    # Against `fact`. Null: it was not compared.
    verdict: Optional[Literal['agrees', 'differs', 'unclear']]
    # What the workspace file states for the day of the answer. Null: nothing.
    fact: Optional[str]


class ComparedFacts(TypedDict):
    # Facts of this aspect; the one that ends first, first.
    stated: List[StatedFact]
    # Answers with a claim that agrees, and none that differs.
    agrees: int
    # Answers with a claim that differs.
    differs: int
    # Answers whose claims the rules cannot compare.
    unclear: int
    # Answers beyond the latest 5,000 claims that are compared.
    notCompared: int


class ClaimedAspectKindsItem(TypedDict):
    kind: Literal['recommended', 'praised', 'criticized', 'discouraged', 'notFound', 'claim']
    answers: int


class ClaimedAspectPagesItem(TypedDict):
    url: str
    answers: int


class _ClaimedAspectRequired(TypedDict):
    # As the model calls it, in lower case.
    aspect: str
    # Answers that say something of it.
    answers: int
    # What they say. claim: a fact, without judging.
    kinds: List[ClaimedAspectKindsItem]
    providers: List[Provider]
    # The latest, at most 10.
    answerIds: List[str]
    # Pages that answers cite in the line of the quote, at most 10.
    pages: List[ClaimedAspectPagesItem]


class ClaimedAspect(_ClaimedAspectRequired, total=False):
    # How answers agree with the workspace file. Omitted: it states no such fact.
    facts: ComparedFacts
    # At most 10: those that differ from a fact first, then the latest. Present for the entity `quotesOf`.
    claims: List[QuotedClaim]


class ClaimedEntity(TypedDict):
    id: str
    name: str
    # Answers that recommend it / answers that mention it and were read.
    recommended: EstimatedValue
    # Answers that state an advantage of it / answers that mention it and were read.
    praised: EstimatedValue
    # Answers that state a drawback of it / answers that mention it and were read.
    criticized: EstimatedValue
    # Answers that advise against it / answers that mention it and were read.
    discouraged: EstimatedValue
    # Answers that say that they found nothing about it / answers that mention it and were read.
    notFound: EstimatedValue
    # By answers, the most first, then by aspect.
    aspects: List[ClaimedAspect]
    # Aspects beyond the limit.
    moreAspects: int


class ClaimsResponse(TypedDict):
    # Null: no answer that passes was read.
    reader: Optional[ModelReader]
    # In the order of the workspace.
    entities: List[ClaimedEntity]


class ReportPeriod(TypedDict):
    # The first day, UTC.
    startDate: str
    # The last day, UTC; at most 3660 days in all.
    endDate: str


class _ReportRequestRequired(TypedDict):
    # The name of a report of the workspace.
    report: str


class ReportRequest(_ReportRequestRequired, total=False):
    # Omitted: what the report's own rule gives for today.
    period: ReportPeriod


class Report(TypedDict):
    id: str
    # As the workspace named it then.
    name: str
    period: ReportPeriod
    # Null: nothing was compared.
    compareWith: Optional[ReportPeriod]
    language: Literal['en', 'de']
    madeAt: str
    # The time of its schedule. Null: it was asked for.
    dueAt: Optional[str]
    actor: AuditActor
    # Bytes of its page in UTF-8.
    htmlBytes: int
    # SHA-256 of its page, as it was made.
    htmlSha256: str
    # A newer report of the same name and period. Null: there is none.
    supersededBy: Optional[str]


class ReportsResponse(TypedDict):
    # The newest first.
    reports: List[Report]
    # For the next page. Null: this is the last.
    nextCursor: Optional[str]


class ReportWithNumbers(TypedDict):
    id: str
    # As the workspace named it then.
    name: str
    period: ReportPeriod
    # Null: nothing was compared.
    compareWith: Optional[ReportPeriod]
    language: Literal['en', 'de']
    madeAt: str
    # The time of its schedule. Null: it was asked for.
    dueAt: Optional[str]
    actor: AuditActor
    # Bytes of its page in UTF-8.
    htmlBytes: int
    # SHA-256 of its page, as it was made.
    htmlSha256: str
    # A newer report of the same name and period. Null: there is none.
    supersededBy: Optional[str]
    # Everything that its page shows; summary, course, changes, sources, names, prompts and measurement are parts of the replies to the questions. Null: the section is left out.
    numbers: Dict[str, Any]


class ReportPage(TypedDict):
    # The page: one file without scripts that loads nothing. Of a superseded report, unless `asMade` is true, it begins with a line that says so.
    html: str


class _SearchQueriesRequestRequired(TypedDict):
    filters: InsightFilters


class SearchQueriesRequest(_SearchQueriesRequestRequired, total=False):
    exclude: Exclude
    # Told of for each query; omitted or empty: the brand.
    entityIds: List[str]
    # Queries on the page.
    limit: int
    # `nextCursor` of the page before, with the same filters.
    cursor: str


class QueryEntity(TypedDict):
    id: str
    # Of its answers those that mention the entity.
    mentions: EstimatedValue
    # Of its answers those that cite the entity.
    citations: EstimatedValue


class SearchQuery(TypedDict):
    # As it is counted: NFKC, lower case, single spaces.
    query: str
    # Answers that searched for it.
    answers: int
    # Prompts that they answer.
    prompts: int
    # Of these answers.
    providers: List[Provider]
    # Its words that stand in none of the prompts.
    added: List[str]
    # Words of all of these prompts that it lacks.
    dropped: List[str]
    # The first of the answers.
    firstSeenAt: str
    # The last of the answers.
    lastSeenAt: str
    # The brand first; those of `entityIds`.
    entities: List[QueryEntity]


class Searched(TypedDict):
    provider: Provider
    # Its answers that pass the filters.
    answers: int
    # Those of them that tell what they searched for.
    searched: int
    # False: no vendor tells what this provider searches for.
    tells: bool


class SearchQueriesResponse(TypedDict):
    # Of the providers with answers.
    searched: List[Searched]
    # Those of the most answers first; equal ones always in the same order.
    queries: List[SearchQuery]
    # Queries on all pages.
    total: int
    # Null: there are no more queries.
    nextCursor: Optional[str]
    # Null: some answers pass the filters.
    empty: Optional[Empty]


class _UntrackedNamesRequestRequired(TypedDict):
    filters: InsightFilters


class UntrackedNamesRequest(_UntrackedNamesRequestRequired, total=False):
    exclude: Exclude
    # Names on the page.
    limit: int
    # `nextCursor` of the page before, with the same filters.
    cursor: str


class UntrackedNameExample(TypedDict):
    answerId: str
    # In UTF-16 code units of the answer's text.
    start: int
    end: int


class UntrackedName(TypedDict):
    # As the first of its answers writes it.
    name: str
    # `alias`: it looks like a spelling of `aliasOf`.
    kind: Literal['new', 'alias']
    # An entity; null: `new`.
    aliasOf: Optional[str]
    # Answers that have it.
    answers: int
    # Prompts that they answer.
    prompts: int
    # One more than the tracked entities that these answers name before it, on average.
    meanPlace: float
    # Cited, and called like it; null: none is.
    domain: Optional[str]
    # Where the first of them has it; null: it was removed meanwhile.
    example: Optional[UntrackedNameExample]


class UntrackedNamesResponse(TypedDict):
    # Answers that name somebody of the list and no tracked entity, of all answers.
    onlyUnknown: EstimatedValue
    # By answers, spread and how they are marked.
    names: List[UntrackedName]
    # Names on all pages.
    total: int
    # Null: there are no more names.
    nextCursor: Optional[str]
    # Null: some answers pass the filters.
    empty: Optional[Empty]


class VendorCredentialRequest(TypedDict):
    # The vendor's API key, or login:password of dataforseo: 8 to 4096 visible ASCII characters. No reply shows it.
    credential: str


class VendorCredential(TypedDict):
    vendor: Literal['openai', 'anthropic', 'gemini', 'perplexity', 'xai', 'dataforseo', 'serpapi', 'cloro', 'reader']
    # Which one the account's sweeps use. `environment`: the service's own, which takes precedence. `stored`: the account's.
    source: Literal['environment', 'stored']
    # When the account's own was stored. Null: there is none.
    storedAt: Optional[str]


class VendorCredentialsResponse(TypedDict):
    # The vendors with a credential, in their order; others have none.
    credentials: List[VendorCredential]


class CredentialTestRequest(TypedDict, total=False):
    # true: asks one paid question too, as a sweep would, which counts toward caps and spending. Omitted: nothing that costs is asked.
    paid: bool


class CredentialTestQuestion(TypedDict):
    """What one paid question is expected to cost, and the most."""

    # US dollars.
    expectedDollars: float
    # US dollars.
    mostDollars: float


class CredentialTest(TypedDict):
    vendor: Literal['openai', 'anthropic', 'gemini', 'perplexity', 'xai', 'dataforseo', 'serpapi', 'cloro', 'reader']
    # Whether the vendor accepts it. Null: not known, as nothing was asked or replied.
    isValid: Optional[bool]
    # The model that is asked. Null: the vendor has no list.
    model: Optional[str]
    # Whether the vendor lists the model. Null: unknown.
    isListed: Optional[bool]
    # Whether the model can search the web with it. Null: the vendor does not say.
    canSearch: Optional[bool]
    # Pages that the answer of the paid question cites. Null: there is no answer.
    citations: Optional[int]
    # What is wrong, for people. Null: nothing.
    fault: Optional[str]
    # What one paid question is expected to cost, and the most.
    question: CredentialTestQuestion


class CreatedAccountResponseAccount(TypedDict):
    id: str
    name: str


class CreatedAccountResponse(TypedDict):
    account: CreatedAccountResponseAccount
    key: CreatedKeyResponse


class _WorkspacePreviewRequestRequired(TypedDict):
    brand: Union[str, FileEntity]


class WorkspacePreviewRequest(_WorkspacePreviewRequestRequired, total=False):
    competitors: List[Union[str, FileEntity]]


class PreviewedDifference(TypedDict):
    # Of the answers that were read.
    read: int
    # Of all answers: the same when all were read, else an estimate, rounded.
    answers: int
    # Of an estimate: how many of all answers it may be, by 95 %. Null: all were read, or too few prompts.
    interval: Optional[ConfidenceInterval]


class PreviewedAnswers(TypedDict):
    # Of the answers read, those that count now.
    before: int
    # Of the answers read, those that would count.
    after: int
    # Answers that would count and do not now.
    added: PreviewedDifference
    # Answers that count now and would not.
    removed: PreviewedDifference


class PreviewedEntity(TypedDict):
    id: str
    name: str
    # Answers that mention it.
    mentions: PreviewedAnswers
    # Answers that cite it.
    citations: PreviewedAnswers


class WorkspacePreviewResponse(TypedDict):
    # Recorded answers of the account's prompts.
    answers: int
    # Of them, those that were read.
    read: int
    # true: a random sample was read, of at most 5000 answers, or of those that were read within half the time of a request.
    isSample: bool
    # Those for which any answer read differs, and those whose own names or domains do.
    entities: List[PreviewedEntity]


ThresholdCrossedEventDataTimeRange = TypedDict("ThresholdCrossedEventDataTimeRange", {
    "from": "str",
    "to": "str",
}, total=True)


class ThresholdCrossedEventDataEntity(TypedDict):
    """The brand."""

    id: str
    name: str


class ThresholdCrossedEventData(TypedDict):
    # crossed: the whole interval is beyond the threshold. recovered: after that, the whole interval is on the other side.
    state: Literal['crossed', 'recovered']
    threshold: ListedHookThreshold
    # The days of the threshold; `to` is not included.
    timeRange: ThresholdCrossedEventDataTimeRange
    # The brand.
    entity: ThresholdCrossedEventDataEntity
    # numerator / denominator. Null: denominator is 0.
    value: Optional[float]
    numerator: int
    denominator: int
    # As many prompts with equally many answers would tell as much: (Σn)² / Σn² over the prompts' denominators n, rounded.
    effectivePrompts: int
    # Null: no value, fewer than 6 effective prompts, or a rank that all prompts agree on.
    interval: Optional[ConfidenceInterval]
    # insufficient: fewer than 6 effective prompts. noVariation: all prompts agree. exploratory: fewer than 50 effective prompts.
    flags: List[Literal['insufficient', 'noVariation', 'exploratory']]


class ThresholdCrossedEvent(TypedDict):
    # As the header webhook-id: the same each time the event is sent.
    id: str
    # When the event was made.
    timestamp: str
    type: Literal['threshold-crossed']
    data: ThresholdCrossedEventData


ReportMadeEventDataTimeRange = TypedDict("ReportMadeEventDataTimeRange", {
    "from": "str",
    "to": "str",
}, total=True)


class ReportMadeEventData(TypedDict):
    reportId: str
    # The report's name.
    name: str
    # What it is about; `to` is not included.
    timeRange: ReportMadeEventDataTimeRange
    # Where it is read. Null: the service does not know its own address.
    address: Optional[str]


class ReportMadeEvent(TypedDict):
    # As the header webhook-id: the same each time the event is sent.
    id: str
    # When the event was made.
    timestamp: str
    type: Literal['report-made']
    data: ReportMadeEventData


class Calls:
    """Every operation of the service. `call` is what sends one."""

    def call(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        lines: Union[str, bytes, Iterable[Mapping[str, Any]], None] = None,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, Any]] = None,
    ) -> Any:
        raise NotImplementedError

    def mentions(self, body: TimeSeriesRequest) -> TimeSeriesResponse:
        """Mentions. How often the brand and each competitor are mentioned. value: Answers that mention it / all answers, from 0 to 1. Null: no answer in the bucket. Nothing is carried forward or rounded. A reply has at most 4000 buckets and 200000 points (entities × buckets)."""
        return cast("TimeSeriesResponse", self.call("POST", "/v1/analytics/brands/mentions", body=body))

    def overall_visibility(self, body: TimeSeriesRequest) -> TimeSeriesResponse:
        """Overall visibility. How often the brand and each competitor are visible: mentioned or cited. value: Answers that mention or cite it / all answers, 0 to 1. Null: no answer in the bucket. Nothing is carried forward or rounded. A reply has at most 4000 buckets and 200000 points (entities × buckets)."""
        return cast("TimeSeriesResponse", self.call("POST", "/v1/analytics/brands/overall-visibility", body=body))

    def citations(self, body: TimeSeriesRequest) -> TimeSeriesResponse:
        """Citations. How often the brand and each competitor are cited. value: Answers that cite its domains / all answers, 0 to 1. Null: no answer in the bucket. Nothing is carried forward or rounded. A reply has at most 4000 buckets and 200000 points (entities × buckets)."""
        return cast("TimeSeriesResponse", self.call("POST", "/v1/analytics/brands/citations", body=body))

    def rank(self, body: TimeSeriesRequest) -> TimeSeriesResponse:
        """Rank. The mean place of the brand and each competitor in the order of first mention. value: Mean rank over the answers that mention it; 1 is first. Null: none mentions it. Nothing is carried forward or rounded. A reply has at most 4000 buckets and 200000 points (entities × buckets)."""
        return cast("TimeSeriesResponse", self.call("POST", "/v1/analytics/brands/rank", body=body))

    def sources(self, body: SourceAnalysisRequest) -> SourceAnalysisResponse:
        """Sources. Domains or URLs most often cited, ranked and paged. Ordered by citations, descending, then by source. Pages are disjoint."""
        return cast("SourceAnalysisResponse", self.call("POST", "/v1/analytics/sources", body=body))

    def insights_series(self, body: InsightsSeriesRequest) -> InsightsSeriesResponse:
        """Time series with counts. An addition to the published interface, which has no such operation. The same values as the metric's own operation, or how often answers say something of an entity, each with the numerator and denominator that it is made of, and its 95 % interval: a value of few answers moves by chance."""
        return cast("InsightsSeriesResponse", self.call("POST", "/v1/insights/series", body=body))

    def insights_summary(self, body: InsightsSummaryRequest) -> InsightsSummaryResponse:
        """Summary. An addition to the published interface, which has no such operation. Every value of each entity over a whole range, with its 95 % interval, by provider, topic, prompt, region, branded, model, surface or tag; with a comparison, whether it changed. Groups by tag overlap: an answer is in the group of each tag of its prompt. At most 12000 entries (groups × listed entities)."""
        return cast("InsightsSummaryResponse", self.call("POST", "/v1/insights/summary", body=body))

    def insights_sources(self, body: InsightsSourcesRequest) -> InsightsSourcesResponse:
        """Sources and gaps. An addition to the published interface, which has no such operation. The sources of operation 5, each with whose it is, and how many of the answers that cite it show the brand, or a competitor without the brand. Ordered by citations, or by opportunity."""
        return cast("InsightsSourcesResponse", self.call("POST", "/v1/insights/sources", body=body))

    def insights_changes(self, body: InsightsChangesRequest) -> InsightsChangesResponse:
        """What a change consists of. An addition to the published interface, which has no such operation. The change of one value of an entity: its like-for-like part, what other providers and prompts bring about, and what each prompt, topic, provider, region, cited domain, model, surface or tag contributes. Parts and contributions add up to the change."""
        return cast("InsightsChangesResponse", self.call("POST", "/v1/insights/changes", body=body))

    def insights_plan(self, body: InsightsPlanRequest) -> InsightsPlanResponse:
        """Plan. An addition to the published interface, which has no such operation. How many prompts and answers show a change, what they cost, and the least change that today's prompts show, from how the account's own answers vary."""
        return cast("InsightsPlanResponse", self.call("POST", "/v1/insights/plan", body=body))

    def insights_presence(self, body: InsightsPresenceRequest) -> InsightsPresenceResponse:
        """Named and cited. An addition to the published interface, which has no such operation. In how many answers an entity is mentioned and cited, mentioned only, cited only, or neither: four shares of the same answers, which add up to 1, each with its 95 % interval."""
        return cast("InsightsPresenceResponse", self.call("POST", "/v1/insights/presence", body=body))

    def citation_life(self, body: CitationLifeRequest) -> CitationLifeResponse:
        """Life of citations. An addition to the published interface, which has no such operation. How long pages stay cited in the answers to a prompt, by class, provider, domain or page: the median and the share that lasts longer than 28 days, with 95 % intervals; what was won and lost."""
        return cast("CitationLifeResponse", self.call("POST", "/v1/insights/citation-life", body=body))

    def search_queries(self, body: SearchQueriesRequest) -> SearchQueriesResponse:
        """Search queries. An addition to the published interface, which has no such operation. What assistants searched the web for before they answered: distinct queries with their answers, prompts and providers, the words added to the prompts and dropped, and how often the answers mention and cite an entity."""
        return cast("SearchQueriesResponse", self.call("POST", "/v1/insights/queries", body=body))

    def untracked_names(self, body: UntrackedNamesRequest) -> UntrackedNamesResponse:
        """Untracked names. An addition to the published interface, which has no such operation. Names that answers have and that no entity tracks, as candidates: with their answers and prompts, their mean place beside tracked entities, a domain called like them and an example; likely spellings of tracked names are told apart."""
        return cast("UntrackedNamesResponse", self.call("POST", "/v1/insights/names", body=body))

    def insights_claims(self, body: ClaimsRequest) -> ClaimsResponse:
        """What answers say of aspects. An addition to the published interface, which has no such operation. What a model read in answers: how often each entity is recommended, praised, criticized, advised against or not found, and what is said of which aspect of it, by which answers and next to which cited pages. Each finding has a verbatim quote. Numbers of the rules are in the summary, and never mixed with these."""
        return cast("ClaimsResponse", self.call("POST", "/v1/insights/claims", body=body))

    def workspace(self) -> WorkspaceResponse:
        """Workspace. An addition to the published interface, which has no such operation. What the account tracks, and what its answers cover: entities, topics and prompts are today's; providers, regions and answers are those that count."""
        return cast("WorkspaceResponse", self.call("GET", "/v1/workspace"))

    def apply_workspace(self, body: WorkspaceFile, *, dry_run: Optional[bool] = None, if_match: Optional[str] = None) -> AppliedWorkspace:
        """Apply a workspace file. An addition to the published interface, which has no such operation. Tracks exactly what a workspace file of at most 32 MiB says, as JSON or YAML. What it omits is retired: nothing is deleted. The same file again changes nothing. The account is the key's, whatever name the file gives it. The key needs the scope manage."""
        return cast("AppliedWorkspace", self.call("PUT", "/v1/workspace", query={"dryRun": dry_run}, headers={"If-Match": if_match}, body=body))

    def workspace_file(self) -> DeclaredWorkspaceResponse:
        """Workspace file. An addition to the published interface, which has no such operation. What the account tracks as a workspace file with every id: names, aliases and domains, topics and prompts. Applying it changes nothing."""
        return cast("DeclaredWorkspaceResponse", self.call("GET", "/v1/workspace/file"))

    def create_account(self, body: WorkspaceFile) -> CreatedAccountResponse:
        """Create an account. An addition to the published interface, which has no such operation. Creates another account, which tracks what a workspace file says, and its first key, which is shown this once, and has the scopes and limits of yours. The service chooses the id: leave `account.id` out. Your key stays a key of its own account alone. The key needs the scope accounts."""
        return cast("CreatedAccountResponse", self.call("POST", "/v1/accounts", body=body))

    def workspace_preview(self, body: WorkspacePreviewRequest) -> WorkspacePreviewResponse:
        """Preview names and domains. An addition to the published interface, which has no such operation. How many recorded answers would begin or stop to mention and to cite each entity, were the brand and the competitors those of the body. Nothing is stored. Prompts stay as they are. Of more than 5000 answers a random sample is read, the same for equal records. The key needs the scope manage."""
        return cast("WorkspacePreviewResponse", self.call("POST", "/v1/workspace/preview", body=body))

    def import_answers(self, body: Union[str, bytes, Iterable[Mapping[str, Any]]], *, source: Optional[str] = None) -> ImportAnswersResponse:
        """Record answers. An addition to the published interface, which has no such operation. Records answers: NDJSON or CSV of any length, plain or with Content-Encoding gzip or zstd. A rejected line does not stop the others. The same body again changes nothing, so a request that broke off is sent again. The key needs the scope import."""
        return cast("ImportAnswersResponse", self.call("POST", "/v1/answers", query={"source": source}, lines=body))

    def evidence(self, body: EvidenceRequest) -> EvidenceResponse:
        """Answers behind a value. An addition to the published interface, which has no such operation. The answers that count for a value, newest first, with each mention's place in the text and each citation's verdict. As many as the value's numerator; with the role any, as its denominator. Texts and URLs come from the open web: they are untrusted."""
        return cast("EvidenceResponse", self.call("POST", "/v1/evidence", body=body))

    def answer(self, id: str) -> RecordedAnswerResponse:
        """One answer. An addition to the published interface, which has no such operation. An answer as it was recorded, whether it counts or not, with its mentions and citations."""
        return cast("RecordedAnswerResponse", self.call("GET", f'/v1/answers/{quote(id, safe="")}'))

    def imports(self) -> ImportsResponse:
        """List imports. An addition to the published interface, which has no such operation. The account's imports. The key needs the scope import."""
        return cast("ImportsResponse", self.call("GET", "/v1/imports"))

    def undo_import(self, import_id: str) -> UndoneImportResponse:
        """Undo an import. An addition to the published interface, which has no such operation. Removes every answer that the import recorded, for good. Repeating it removes what is left. The key needs the scope manage."""
        return cast("UndoneImportResponse", self.call("DELETE", f'/v1/imports/{quote(import_id, safe="")}'))

    def delete_answers(self, body: DeleteAnswersRequest) -> DeleteAnswersResponse:
        """Remove answers. An addition to the published interface, which has no such operation. Counts or removes answers, for good, by id or by filters. The key needs the scope manage."""
        return cast("DeleteAnswersResponse", self.call("POST", "/v1/answers/delete", body=body))

    def audit(self, *, action: Optional[Literal['workspace.applied', 'key.created', 'key.revoked', 'answers.imported', 'import.undone', 'answers.removed', 'texts.removed', 'labels.stored', 'labels.removed', 'link.created', 'link.revoked', 'webhook.created', 'webhook.deleted', 'webhook.disabled', 'webhook.enabled', 'credential.stored', 'credential.deleted', 'collection.started', 'collection.cancelled', 'collection.accepted', 'report.made', 'report.superseded', 'account.created', 'account.deleted', 'account.arrived', 'invitation.created', 'invitation.withdrawn', 'person.joined', 'person.changed', 'person.removed', 'person.link_created']] = None, actor_id: Optional[str] = None, subject: Optional[str] = None, from_: Optional[str] = None, to: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> AuditResponse:
        """List who changed what. An addition to the published interface, which has no such operation. The account's audit log, newest first, by page: every change of the workspace, keys, links, answers, labels, webhooks, credentials and collection, with its actor. Entries are only added, in the transaction of what they tell of, and each has the hash of the one before it. The key needs the scope manage."""
        return cast("AuditResponse", self.call("GET", "/v1/audit", query={"action": action, "actorId": actor_id, "subject": subject, "from": from_, "to": to, "limit": limit, "cursor": cursor}))

    def reports(self, *, name: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> ReportsResponse:
        """List reports. An addition to the published interface, which has no such operation. The reports that were made, newest first, by page. Which reports there are to make is in the workspace file."""
        return cast("ReportsResponse", self.call("GET", "/v1/reports", query={"name": name, "limit": limit, "cursor": cursor}))

    def make_report(self, body: ReportRequest) -> Report:
        """Make a report. An addition to the published interface, which has no such operation. Makes a report of the workspace file, and keeps it: its numbers and page never change. An earlier report of the same name and period stays, and says that it was superseded. At most 200 on a UTC day. The key needs the scope manage."""
        return cast("Report", self.call("POST", "/v1/reports", body=body))

    def report(self, report_id: str) -> ReportWithNumbers:
        """Report. An addition to the published interface, which has no such operation. A report with the numbers that it shows."""
        return cast("ReportWithNumbers", self.call("GET", f'/v1/reports/{quote(report_id, safe="")}'))

    def report_page(self, report_id: str, *, as_made: Optional[bool] = None) -> ReportPage:
        """Page of a report. An addition to the published interface, which has no such operation. The report as one HTML page, to be opened, sent and printed."""
        return cast("ReportPage", self.call("GET", f'/v1/reports/{quote(report_id, safe="")}/html', query={"asMade": as_made}))

    def import_labels(self, body: Union[str, bytes, Iterable[Mapping[str, Any]]]) -> ImportLabelsResponse:
        """Import labels. An addition to the published interface, which has no such operation. Stores what people say of answers: whether one mentions or cites an entity, or says something of it. NDJSON or CSV, plain or with Content-Encoding gzip or zstd. A rejected line does not stop the others. Of one labeller, the last label of an answer, an entity and a metric counts. An account has at most 20000 labels. The key needs the scope import."""
        return cast("ImportLabelsResponse", self.call("POST", "/v1/labels", lines=body))

    def labels(self, *, answer_id: Optional[str] = None, labeller: Optional[str] = None, entity_id: Optional[str] = None, metric: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None) -> LabelsResponse:
        """List labels. An addition to the published interface, which has no such operation. The account's labels, by page."""
        return cast("LabelsResponse", self.call("GET", "/v1/labels", query={"answerId": answer_id, "labeller": labeller, "entityId": entity_id, "metric": metric, "limit": limit, "cursor": cursor}))

    def delete_labels(self, *, answer_id: Optional[str] = None, labeller: Optional[str] = None, entity_id: Optional[str] = None, metric: Optional[str] = None) -> DeletedLabels:
        """Remove labels. An addition to the published interface, which has no such operation. Removes labels for good: those of an answer, of a labeller, or of both; an entity and a metric leave fewer. `answerId` or `labeller` is required. The key needs the scope import."""
        return cast("DeletedLabels", self.call("DELETE", "/v1/labels", query={"answerId": answer_id, "labeller": labeller, "entityId": entity_id, "metric": metric}))

    def label_sample(self, body: LabelSampleRequest) -> LabelSampleResponse:
        """Draw answers to label. An addition to the published interface, which has no such operation. Draws answers at random, to be read and labelled. Labels of answers that somebody chose would say nothing of the others."""
        return cast("LabelSampleResponse", self.call("POST", "/v1/labels/sample", body=body))

    def keys(self) -> KeysResponse:
        """List keys. An addition to the published interface, which has no such operation. The account's keys, never the keys themselves. The key needs the scope manage."""
        return cast("KeysResponse", self.call("GET", "/v1/keys"))

    def create_key(self, body: KeyRequest) -> CreatedKeyResponse:
        """Create a key. An addition to the published interface, which has no such operation. Creates a key and shows it, this once. It gets no scope and no higher limit than the key which creates it has. The key needs the scope manage."""
        return cast("CreatedKeyResponse", self.call("POST", "/v1/keys", body=body))

    def revoke_key(self, key_id: str) -> Key:
        """Revoke a key. An addition to the published interface, which has no such operation. Revokes a key, which ends its sessions immediately. Repeating it keeps the first instant. The key needs the scope manage."""
        return cast("Key", self.call("DELETE", f'/v1/keys/{quote(key_id, safe="")}'))

    def people(self) -> PeopleResponse:
        """List people. An addition to the published interface, which has no such operation. The account's people with their roles, and the open invitations. The key needs the scope people."""
        return cast("PeopleResponse", self.call("GET", "/v1/people"))

    def invite_person(self, body: InvitationRequest) -> CreatedInvitationResponse:
        """Invite a person. An addition to the published interface, which has no such operation. Makes an invitation and shows its address, this once. The first to open it takes it; somebody who is known to the service by that e-mail address has to be signed in. A role gets no scope that you lack. The key needs the scope people."""
        return cast("CreatedInvitationResponse", self.call("POST", "/v1/people/invitations", body=body))

    def withdraw_invitation(self, invitation_id: str) -> Invitation:
        """Withdraw an invitation. An addition to the published interface, which has no such operation. Withdraws an open invitation: its address accepts nothing any more. The key needs the scope people."""
        return cast("Invitation", self.call("DELETE", f'/v1/people/invitations/{quote(invitation_id, safe="")}'))

    def change_role(self, person_id: str, body: RoleRequest) -> RemovedPersonResponse:
        """Change a person's role. An addition to the published interface, which has no such operation. Sets what a person does in the account, from the next call on. The person's keys with scopes that the role lacks are revoked. The last owner stays one as long as there are other people. The key needs the scope people."""
        return cast("RemovedPersonResponse", self.call("PUT", f'/v1/people/{quote(person_id, safe="")}', body=body))

    def remove_person(self, person_id: str) -> RemovedPersonResponse:
        """Remove a person. An addition to the published interface, which has no such operation. Ends a person's access to the account: the next call is refused, calls under way end within two seconds, and the person's keys of this account are revoked. Other accounts of the person are not touched. The key needs the scope people."""
        return cast("RemovedPersonResponse", self.call("DELETE", f'/v1/people/{quote(person_id, safe="")}'))

    def links(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> LinksResponse:
        """List share links. An addition to the published interface, which has no such operation. The account's share links, newest first, by page; never their addresses. The key needs the scope manage."""
        return cast("LinksResponse", self.call("GET", "/v1/links", query={"limit": limit, "cursor": cursor}))

    def create_link(self, body: LinkRequest) -> CreatedLinkResponse:
        """Create a share link. An addition to the published interface, which has no such operation. Creates an address that shows one view, or one report that was made, without a key or a session, and shows the address, this once. It ends when it is revoked or expires, and with the key or person that made it. At most 200 valid links an account. The key needs the scope manage."""
        return cast("CreatedLinkResponse", self.call("POST", "/v1/links", body=body))

    def revoke_link(self, link_id: str) -> Link:
        """Revoke a share link. An addition to the published interface, which has no such operation. Ends a share link immediately, and what is being read by it within 2 seconds. Repeating it keeps the first instant. The key needs the scope manage."""
        return cast("Link", self.call("DELETE", f'/v1/links/{quote(link_id, safe="")}'))

    def hooks(self) -> HooksResponse:
        """List webhooks. An addition to the published interface, which has no such operation. The account's webhooks, never their secrets. The key needs the scope manage."""
        return cast("HooksResponse", self.call("GET", "/v1/hooks"))

    def create_hook(self, body: HookRequest) -> CreatedHookResponse:
        """Create a webhook. An addition to the published interface, which has no such operation. Has events sent to an address, signed as Standard Webhooks says, and shows the secret that verifies them, this once. Or has them sent as messages to a chat, or as mails. The key needs the scope manage."""
        return cast("CreatedHookResponse", self.call("POST", "/v1/hooks", body=body))

    def delete_hook(self, id: str) -> Hook:
        """Delete a webhook. An addition to the published interface, which has no such operation. Deletes a webhook and the log of its deliveries. The key needs the scope manage."""
        return cast("Hook", self.call("DELETE", f'/v1/hooks/{quote(id, safe="")}'))

    def test_hook(self, id: str) -> Delivery:
        """Test a webhook. An addition to the published interface, which has no such operation. Sends an event of the type test, once, and replies how that went. A test that succeeds enables a webhook that was disabled. The key needs the scope manage."""
        return cast("Delivery", self.call("POST", f'/v1/hooks/{quote(id, safe="")}/test'))

    def hook_deliveries(self, id: str) -> DeliveriesResponse:
        """List deliveries. An addition to the published interface, which has no such operation. What was sent to a webhook, and how it went. The key needs the scope manage."""
        return cast("DeliveriesResponse", self.call("GET", f'/v1/hooks/{quote(id, safe="")}/deliveries'))

    def collections(self) -> CollectionsResponse:
        """List collections. An addition to the published interface, which has no such operation. The latest sweeps, when the next ones come, how vendors stand and what was spent. The key needs the scope manage."""
        return cast("CollectionsResponse", self.call("GET", "/v1/collections"))

    def start_collection(self, body: CollectionRequest) -> StartedCollection:
        """Start a collection. An addition to the published interface, which has no such operation. Asks the providers now, or says what it would cost. It goes on after the reply: follow it by its id. A repeated call asks again. The key needs the scope manage."""
        return cast("StartedCollection", self.call("POST", "/v1/collections", body=body))

    def collection(self, id: str) -> Collection:
        """Get a collection. An addition to the published interface, which has no such operation. How a sweep stands, part by part: a part's answers begin to count all together, when it is published. The key needs the scope manage."""
        return cast("Collection", self.call("GET", f'/v1/collections/{quote(id, safe="")}'))

    def cancel_collection(self, id: str) -> Collection:
        """Cancel a collection. An addition to the published interface, which has no such operation. Sends no further question. What was asked ends, and what was answered counts. The key needs the scope manage."""
        return cast("Collection", self.call("DELETE", f'/v1/collections/{quote(id, safe="")}'))

    def vendor_credentials(self) -> VendorCredentialsResponse:
        """List credentials of vendors. An addition to the published interface, which has no such operation. Which vendors have a credential, and whose. No value is shown. The key needs the scope manage."""
        return cast("VendorCredentialsResponse", self.call("GET", "/v1/collection/credentials"))

    def store_vendor_credential(self, vendor: str, body: VendorCredentialRequest) -> VendorCredential:
        """Store a credential of a vendor. An addition to the published interface, which has no such operation. Stores the account's credential of a vendor, encrypted, in place of the one before. Only sweeps of this account use it, where the service has none of its own. The key needs the scope manage."""
        return cast("VendorCredential", self.call("PUT", f'/v1/collection/credentials/{quote(vendor, safe="")}', body=body))

    def delete_vendor_credential(self, vendor: str) -> VendorCredential:
        """Delete a credential of a vendor. An addition to the published interface, which has no such operation. Deletes the account's credential. Questions that are under way end with it. The key needs the scope manage."""
        return cast("VendorCredential", self.call("DELETE", f'/v1/collection/credentials/{quote(vendor, safe="")}'))

    def test_vendor_credential(self, vendor: str, body: CredentialTestRequest) -> CredentialTest:
        """Test a credential of a vendor. An addition to the published interface, which has no such operation. Asks the vendor for its list of models, which is free, with the account's credential, and one paid question if that is wanted. The key needs the scope manage."""
        return cast("CredentialTest", self.call("POST", f'/v1/collection/credentials/{quote(vendor, safe="")}/test', body=body))

    def start_reading(self, body: ReadingRequest) -> StartedReading:
        """Have answers read by a model. An addition to the published interface, which has no such operation. Asks the model that the operator configured what answers say of the entities, or says what that would cost. It goes on after the reply, as a collection whose parts have the vendor `reader`: follow it by its id. Answers that were read are not read again. The key needs the scope manage."""
        return cast("StartedReading", self.call("POST", "/v1/readings", body=body))
