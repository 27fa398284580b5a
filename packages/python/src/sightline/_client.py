"""Sessions, retries and errors: what the written calls are sent with."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import random
import threading
import time
from datetime import datetime, timezone
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Union
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from ._generated import Calls

Json = Any

#: A session is used for this share of its lifetime.
_USED_SHARE_OF_LIFE = 0.8
_FIRST_BACKOFF_SECONDS = 0.5
_LONGEST_BACKOFF_SECONDS = 8.0
#: Lines of one request of an import; longer imports are sent in parts.
_LINES_OF_PART = 2_000


class SightlineError(Exception):
    """Any failure of the client."""


class ConnectionFailed(SightlineError):
    """No reply came, or one that is not of a Sightline service."""


class ApiError(SightlineError):
    """The service refused a call (RFC 9457)."""

    def __init__(self, problem: Mapping[str, Any], status: int, retry_after: Optional[float]) -> None:
        self.status = status
        #: The code that documentation explains, such as `invalid_request`.
        self.code = str(problem.get("code", "unknown"))
        self.detail = str(problem.get("detail", ""))
        self.request_id = str(problem.get("requestId", ""))
        #: Faults by their place in the body: `path`, `code` and `message`.
        self.errors: List[Dict[str, Any]] = list(problem.get("errors", []))
        #: Seconds to wait before the call may be sent again; None: the service did not say.
        self.retry_after = retry_after
        super().__init__(f"{status} {self.code}: {self.detail} (request {self.request_id})")


class _NoRedirects(HTTPRedirectHandler):
    """The token is meant for one address only."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Sightline(Calls):
    """A client with one key or one session. Create one and keep it: calls share a session.

    Safe to use from several threads.
    """

    def __init__(
        self,
        base_url: str,
        *,
        key: Optional[str] = None,
        session: Optional[str] = None,
        timeout: float = 60.0,
        retries: int = 4,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """
        :param base_url: such as `https://sightline.example`.
        :param key: a static key; the client exchanges it for sessions.
        :param session: a session token instead, which ends when it expires.
        :param timeout: seconds that one request may take.
        :param retries: how often a call is sent again after 429, 503 or no reply.
        :param sleep: waits so many seconds between two attempts.
        """
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ValueError(f"base_url must be an http or https address, got {base_url!r}.")
        if (key is None) == (session is None):
            raise ValueError("Give a key or a session, and not both.")
        self._base_url = base_url.rstrip("/")
        self._key = key
        self._fixed = session
        self._timeout = timeout
        self._retries = retries
        self._sleep = sleep
        self._opener = build_opener(_NoRedirects)
        self._lock = threading.Lock()
        self._token: Optional[str] = None
        self._used_until = 0.0

    def call(
        self,
        method: str,
        path: str,
        *,
        body: Json = None,
        lines: Union[str, bytes, Iterable[Mapping[str, Any]], None] = None,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, Any]] = None,
    ) -> Json:
        """Sends one operation. @raises ApiError, ConnectionFailed"""
        given = {name: _word(value) for name, value in (query or {}).items() if value is not None}
        address = f"{path}?{urlencode(given)}" if given else path
        fields = {name: str(value) for name, value in (headers or {}).items() if value is not None}
        if lines is not None:
            return self._send_lines(method, address, lines, fields)
        if body is None:
            return self._attempts(method, address, None, fields)
        if isinstance(body, (str, bytes)):
            content = body.encode() if isinstance(body, str) else body
            return self._attempts(
                method, address, content, {**fields, "Content-Type": "application/yaml"}
            )
        content = json.dumps(_plain(body), ensure_ascii=False).encode()
        return self._attempts(
            method, address, content, {**fields, "Content-Type": "application/json"}
        )

    def pages(self, call: str, body: Mapping[str, Any]) -> Iterator[Json]:
        """Every page of a question that has pages, one after another.

        :param call: the name of the call: `sources`, `insights_sources`, `evidence`,
            `search_queries` and others whose replies have `nextCursor` or `pagination`.
        """
        asked = dict(body)
        while True:
            page = getattr(self, call)(asked)
            yield page
            if page.get("nextCursor"):
                asked = {**asked, "cursor": page["nextCursor"]}
            elif page.get("pagination", {}).get("hasMore"):
                pagination = page["pagination"]
                asked = {**asked, "offset": pagination["offset"] + pagination["limit"]}
            else:
                return

    def _send_lines(
        self,
        method: str,
        address: str,
        lines: Union[str, bytes, Iterable[Mapping[str, Any]]],
        fields: Dict[str, str],
    ) -> Json:
        """Sends NDJSON in parts; sending them again is safe. Sums the replies."""
        total: Optional[Dict[str, Any]] = None
        sent = {**fields, "Content-Type": "application/x-ndjson"}
        first = 0
        for part in _parts_of(lines):
            reply = self._attempts(method, address, b"\n".join(part) + b"\n", sent)
            for error in reply.get("errors", []):
                error["line"] += first
            first += len(part)
            total = reply if total is None else _summed(total, reply)
        if total is None:
            return {"accepted": 0, "duplicates": 0, "rejected": 0, "warnings": 0, "errors": []}
        return total

    def _attempts(
        self, method: str, address: str, content: Optional[bytes], fields: Dict[str, str]
    ) -> Json:
        renewed = False
        # What may have been done is done again only where that is the same as once.
        repeats = "If-Match" not in fields and _is_repeatable(method, address)
        attempt = 0
        while True:
            token = self._session()
            try:
                return self._once(method, address, content, {**fields, "Authorization": f"Bearer {token}"})
            except ApiError as error:
                if error.status == 401 and self._key is not None and not renewed:
                    renewed = True
                    self._forget(token)
                    continue
                if not _is_sent_again(error, repeats) or attempt >= self._retries:
                    raise
                wait = max(error.retry_after or 0.0, _backoff(attempt))
            except ConnectionFailed:
                if not repeats or attempt >= self._retries:
                    raise
                wait = _backoff(attempt)
            attempt += 1
            self._sleep(wait)

    def _once(
        self, method: str, address: str, content: Optional[bytes], fields: Mapping[str, str]
    ) -> Json:
        request = Request(f"{self._base_url}{address}", data=content, method=method)
        request.add_header("Accept", "application/json")
        for name, value in fields.items():
            request.add_header(name, value)
        try:
            with self._opener.open(request, timeout=self._timeout) as reply:
                text = reply.read()
        except HTTPError as error:
            raise _refusal(error) from None
        except (URLError, OSError) as error:
            raise ConnectionFailed(f"No reply from {self._base_url}{address}: {error}.") from error
        try:
            return json.loads(text)
        except ValueError as error:
            raise ConnectionFailed(f"{self._base_url}{address} did not reply with JSON.") from error

    def _session(self) -> str:
        if self._fixed is not None:
            return self._fixed
        with self._lock:  # concurrent calls share one exchange
            if self._token is not None and time.monotonic() < self._used_until:
                return self._token
            began = time.monotonic()
            self._token = self._exchange()
            self._used_until = began + _USED_SHARE_OF_LIFE * _life_of(self._token)
            return self._token

    def _exchange(self) -> str:
        fields = {"Authorization": f"Bearer {self._key}"}
        attempt = 0
        while True:
            try:
                reply = self._once("POST", "/v1/auth/accesskey/exchange", b"", fields)
                return str(reply["sessionJwt"])
            except ApiError as error:
                if not _is_sent_again(error, True) or attempt >= self._retries:
                    raise
                wait = max(error.retry_after or 0.0, _backoff(attempt))
            except ConnectionFailed:
                if attempt >= self._retries:
                    raise
                wait = _backoff(attempt)
            attempt += 1
            self._sleep(wait)

    def _forget(self, refused: str) -> None:
        with self._lock:
            if self._token == refused:
                self._token = None


def verify_webhook(
    body: Union[str, bytes],
    headers: Mapping[str, str],
    secret: str,
    *,
    tolerance: float = 300.0,
    now: Optional[float] = None,
) -> Dict[str, Any]:
    """The event of a request to a webhook, once its signature is verified.

    :param body: as it came, byte for byte.
    :param tolerance: seconds that the event's time may differ from `now`.
    :raises SightlineError: it does not come from the service, or is too old.
    """
    given = {name.lower(): value for name, value in headers.items()}
    event_id, timestamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    content = body.encode() if isinstance(body, str) else body
    at = time.time() if now is None else now
    if not timestamp.isdigit() or abs(at - int(timestamp)) > tolerance:
        raise SightlineError("The webhook's timestamp is missing, or too far from now.")
    key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret)
    signed = f"{event_id}.{timestamp}.".encode() + content
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    signatures = given.get("webhook-signature", "").split()
    if not any(hmac.compare_digest(each, f"v1,{expected}") for each in signatures):
        raise SightlineError("No signature of the webhook is right.")
    event: Dict[str, Any] = json.loads(content)
    return event


def _is_repeatable(method: str, address: str) -> bool:
    """Whether a call changes nothing, or the same again changes nothing."""
    asks = ("/v1/analytics/", "/v1/insights/", "/v1/evidence", "/v1/workspace/preview")
    same_again = ("/v1/answers", "/v1/labels")
    path = address.split("?")[0]
    if method == "POST":
        return path.startswith(asks) or path in same_again
    return method in ("GET", "PUT")


def _is_sent_again(error: ApiError, repeats: bool) -> bool:
    """Whether a refused call is sent again. A quota lasts until the next day: nobody waits so long."""
    if error.status == 503:
        return repeats
    return error.status == 429 and error.code != "quota_exhausted"


def _backoff(attempt: int) -> float:
    bound = min(_LONGEST_BACKOFF_SECONDS, _FIRST_BACKOFF_SECONDS * 2.0**attempt)
    return random.random() * bound


def _refusal(error: HTTPError) -> SightlineError:
    try:
        problem = json.loads(error.read())
    except ValueError:
        problem = None
    if not isinstance(problem, dict) or "code" not in problem:
        return ConnectionFailed(f"{error.url} replied with {error.code}, and not as Sightline does.")
    after = error.headers.get("Retry-After", "")
    return ApiError(problem, error.code, float(after) if after.isdigit() else None)


def _life_of(token: str) -> float:
    """Seconds that a session lives; of a token that does not say: until it is refused."""
    try:
        payload = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        life = float(claims["exp"]) - float(claims["iat"])
    except (IndexError, KeyError, TypeError, ValueError):
        return float("inf")
    return life if life > 0 else float("inf")


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _plain(value: Any) -> Any:
    """Dates as the interface has them; a naive one is UTC."""
    if isinstance(value, datetime):
        aware = value if value.tzinfo else value.replace(tzinfo=timezone.utc)
        return aware.isoformat().replace("+00:00", "Z")
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items() if each is not None}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value


def _parts_of(
    lines: Union[str, bytes, Iterable[Mapping[str, Any]]],
) -> Iterator[List[bytes]]:
    if isinstance(lines, str):
        lines = lines.encode()
    items: Iterable[bytes]
    if isinstance(lines, bytes):
        items = lines.rstrip(b"\n").split(b"\n") if lines.strip() else []
    else:
        items = (json.dumps(_plain(each), ensure_ascii=False).encode() for each in lines)
    part: List[bytes] = []
    for item in items:
        part.append(item)
        if len(part) == _LINES_OF_PART:
            yield part
            part = []
    if part:
        yield part


def _summed(total: Dict[str, Any], reply: Mapping[str, Any]) -> Dict[str, Any]:
    summed = {
        name: total[name] + value if isinstance(value, int) else total[name]
        for name, value in reply.items()
    }
    return {**summed, "errors": (total.get("errors", []) + reply.get("errors", []))[:100]}
