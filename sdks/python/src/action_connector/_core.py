"""The way of every request, without I/O: a generator that asks its driver to send and to sleep, and decides the rest.
The synchronous and the asynchronous client drive the same generator."""

from __future__ import annotations

import json
import platform
import random as _random
import re
import time
import uuid
import warnings
from dataclasses import dataclass, field
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any, Callable, Dict, Generator, List, Mapping, Optional, Tuple, TypedDict, Union
from urllib.parse import quote, urlencode

from ._errors import ActionConnectorError, ApiConnectionError, ApiError, ApiTimeoutError, api_error
from ._log import Log, log_attempt
from ._model import Model, Response
from ._quota import QuotaTracker
from ._retry import is_retryable, read_retry_after, retry_wait
from ._version import __version__


class RequestOptions(TypedDict, total=False):
    """What a single call may set for itself."""

    #: Made anew for every write unless given; the same across its retries.
    idempotency_key: str
    #: Seconds for one attempt.
    timeout: float
    #: Seconds for the whole call, waits included.
    total_timeout: float
    max_retries: int
    headers: Mapping[str, str]
    #: Media type of a body that is not JSON.
    content_type: str
    #: Streams: go on behind this event.
    last_event_id: str


class NotGiven:
    """Stands for a field that is not sent; None is sent as null."""

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN = NotGiven()


def _warn(message: str) -> None:
    warnings.warn(message, DeprecationWarning, stacklevel=2)


@dataclass
class Runtime:
    """Time, chance and warnings; tests replace them. ``sleep`` is for tests alone: None sleeps for real."""

    now: Callable[[], float] = time.time
    random: Callable[[], float] = _random.random
    warn: Callable[[str], None] = _warn
    sleep: Optional[Callable[[float], None]] = None


@dataclass(frozen=True)
class Spec:
    """One request, before it is sent. ``path`` has its parameters in braces; ``params`` holds their values in order."""

    id: str
    method: str
    path: str
    params: Tuple[str, ...] = ()
    query: Optional[Mapping[str, Any]] = None
    body: Any = NOT_GIVEN
    content_type: str = "application/json"


@dataclass(frozen=True)
class Send:
    method: str
    url: str
    headers: Mapping[str, str]
    content: Optional[bytes]
    #: Seconds for the attempt.
    timeout: float
    #: Whether the body is left unread.
    stream: bool


@dataclass(frozen=True)
class Sleep:
    seconds: float


@dataclass
class Reply:
    status: int
    headers: Mapping[str, str]
    content: bytes
    #: The open response of a stream, in the driver's own type.
    handle: Any = None


Effect = Union[Send, Sleep]


@dataclass
class Settings:
    api_key: str = field(repr=False)
    base_url: str
    timeout: float = 60.0
    total_timeout: float = 300.0
    max_retries: int = 2
    pacing: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)
    stream_idle_timeout: float = 45.0
    stream_max_reconnects: int = 8
    stream_reconnect_delay: Optional[float] = None
    runtime: Runtime = field(default_factory=Runtime)
    log: Log = field(default_factory=Log)


_deprecation_told = False


class Core:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.quota = QuotaTracker()

    def exchange(
        self, spec: Spec, options: Optional[RequestOptions], accept: str, check: Callable[[Reply], Any], stream: bool = False
    ) -> Generator[Effect, Any, Any]:
        """Tries until it is answered, refused for good, or out of retries or time. ``check`` reads the answer."""
        chosen: RequestOptions = options or {}
        runtime = self.settings.runtime
        most = chosen.get("max_retries", self.settings.max_retries)
        deadline = runtime.now() + chosen.get("total_timeout", self.settings.total_timeout)
        url, headers, content = self._prepare(spec, chosen, accept)
        retry = 0
        while True:
            if retry > 0:
                headers["X-Retry-Count"] = str(retry)
            yield from self._pace(deadline)
            try:
                limit = min(chosen.get("timeout", self.settings.timeout), deadline - runtime.now())
                reply = yield from self._attempt(spec, Send(spec.method, url, dict(headers), content, max(0.001, limit), stream))
                return check(reply)
            except (ApiConnectionError, ApiError) as error:
                wait = retry_wait(error, retry, runtime.random) if retry < most and is_retryable(error) else None
                if wait is None or runtime.now() + wait >= deadline:
                    raise
            yield Sleep(wait)
            retry += 1

    def _attempt(self, spec: Spec, send: Send) -> Generator[Effect, Any, Reply]:
        runtime = self.settings.runtime
        headers: Optional[Mapping[str, str]] = None
        started = runtime.now()
        try:
            reply: Reply = yield send
            headers = reply.headers
        except ApiConnectionError as error:
            log_attempt(self.settings.log, f"{spec.method} {spec.path}", None, {}, runtime.now() - started, str(error))
            raise
        finally:
            self.quota.answered(headers, runtime.now())
        log_attempt(self.settings.log, f"{spec.method} {spec.path}", reply.status, reply.headers, runtime.now() - started, "")
        self._tell_deprecation(spec, reply.headers)
        if not 200 <= reply.status <= 299:
            text = reply.content.decode("utf-8", "replace")
            raise api_error(reply.status, reply.headers, text, read_retry_after(reply.headers, runtime.now()))
        return reply

    def _pace(self, deadline: float) -> Generator[Effect, Any, None]:
        runtime = self.settings.runtime
        while True:
            wait = self.quota.reserve(runtime.now(), self.settings.pacing)
            if wait == 0:
                return
            if runtime.now() + wait >= deadline:
                raise ApiTimeoutError(f"The quota frees in {wait:.1f} s, later than this call may take.")
            yield Sleep(wait)

    def _prepare(self, spec: Spec, options: RequestOptions, accept: str) -> Tuple[str, Dict[str, str], Optional[bytes]]:
        headers: Dict[str, str] = dict(self.settings.headers)
        headers["Accept"] = accept
        headers["Authorization"] = f"Bearer {self.settings.api_key}"
        headers["User-Agent"] = f"action-connector-python/{__version__} python/{platform.python_version()}"
        content: Optional[bytes] = None
        if isinstance(spec.body, (bytes, str)):
            content = spec.body.encode("utf-8") if isinstance(spec.body, str) else spec.body
            headers["Content-Type"] = options.get("content_type", spec.content_type)
        elif not isinstance(spec.body, NotGiven):
            content = json.dumps(spec.body, ensure_ascii=False, separators=(",", ":"), default=_write).encode("utf-8")
            headers["Content-Type"] = "application/json"
        if spec.method != "GET":
            headers["Idempotency-Key"] = options.get("idempotency_key") or str(uuid.uuid4())
        if accept == "text/event-stream" and options.get("last_event_id"):
            headers["Last-Event-ID"] = options["last_event_id"]
        headers.update(options.get("headers", {}))
        return self.settings.base_url + expand(spec.path, spec.params) + encode_query(spec.query), headers, content

    def _tell_deprecation(self, spec: Spec, headers: Mapping[str, str]) -> None:
        global _deprecation_told
        if _deprecation_told or "deprecation" not in headers:
            return
        _deprecation_told = True
        sunset = headers.get("sunset")
        link = re.search(r'<([^>]+)>[^,]*rel="?(?:deprecation|sunset)"?', headers.get("link", ""))
        ends = f" and ends on {sunset}" if sunset else ""
        see = f" See {link.group(1)}" if link else ""
        self.settings.runtime.warn(f"Action Connector: {spec.id} is deprecated{ends}.{see}")


def read_envelope(reply: Reply) -> Tuple[Any, Response]:
    """A success that is no envelope was not sent by the service: something on the way cut or replaced it."""
    try:
        parsed = json.loads(reply.content)
    except ValueError as error:
        raise ApiConnectionError("The answer is not whole.") from error
    if not isinstance(parsed, dict) or "data" not in parsed:
        raise ApiConnectionError("The answer is not whole.")
    return parsed["data"], Response(reply.status, reply.headers, reply.content)


def read_raw(reply: Reply) -> Response:
    return Response(reply.status, reply.headers, reply.content)


def expand(path: str, params: Tuple[str, ...]) -> str:
    """Puts the parameters into the path; an empty one or dots would address something else."""
    names = re.findall(r"\{(\w+)\}", path)
    for name, value in zip(names, params):
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise ValueError(f"{name} must be a non-empty string.")
        path = path.replace("{" + name + "}", quote(value, safe=""), 1)
    return path


def encode_query(query: Optional[Mapping[str, Any]]) -> str:
    pairs: List[Tuple[str, str]] = []
    for name, value in (query or {}).items():
        if value is None or isinstance(value, NotGiven):
            continue
        pairs.append((name, ",".join(map(_plain, value)) if isinstance(value, (list, tuple)) else _plain(value)))
    return f"?{urlencode(pairs, quote_via=quote)}" if pairs else ""


def _plain(value: Any) -> str:
    if isinstance(value, datetime):
        return write_time(value)
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def write_time(moment: datetime) -> str:
    """An aware datetime as the service reads it. A naive one could mean any zone, so it is refused."""
    if moment.tzinfo is None:
        raise ValueError("The datetime has no time zone. Send an aware one, e.g. datetime.now(timezone.utc).")
    return moment.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def _write(value: Any) -> Any:
    """What JSON has no form for: times, exact numbers, and objects that the service answered with."""
    if isinstance(value, datetime):
        return write_time(value)
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, Model):
        return value.to_dict()
    raise TypeError(f"{type(value).__name__} cannot be sent. Send text, a number, a list, a dict or a datetime.")


def given(**fields: Any) -> Dict[str, Any]:
    """The fields that are sent."""
    return {name: value for name, value in fields.items() if not isinstance(value, NotGiven)}


def whole_base(address: Optional[str]) -> str:
    """Accepts the address of the service, or the same with /v1 or /api/v1."""
    if not address:
        raise ActionConnectorError("No address of the service. Pass base_url, or set ACTION_CONNECTOR_BASE_URL.")
    base = address.rstrip("/")
    if not re.match(r"\Ahttps?://[^/?#]+[^?#]*\Z", base):
        raise ActionConnectorError(f"The base address must begin with http:// or https:// and have no query: {address!r}")
    return base if re.search(r"/v[0-9]+\Z", base) else f"{base}/api/v1"


def checked_key(key: Optional[str]) -> str:
    if not key:
        raise ActionConnectorError("No API key. Pass api_key, or set ACTION_CONNECTOR_API_KEY.")
    if not re.match(r"\A[\x21-\x7e]+\Z", key):
        raise ActionConnectorError("The API key holds characters that no key has; was it copied with a line break?")
    return key


def redact(key: str) -> str:
    return f"{key[:9]}…{key[-4:]}" if len(key) > 20 else "…"
