"""Drives the core with httpx and blocking sleep."""

from __future__ import annotations

import time
from typing import Any, Callable, Generator, Generic, Iterator, List, Optional, TypeVar

import httpx

from ._core import Core, Effect, Reply, RequestOptions, Send, Settings, Sleep, Spec, read_envelope, read_raw
from ._errors import ApiConnectionError, ApiTimeoutError
from ._model import Response, attach, convert
from ._stream_state import ServerEvent, StreamState
from ._tls import tls_context

T = TypeVar("T")


class Transport:
    def __init__(self, settings: Settings, client: Optional[httpx.Client]) -> None:
        self.core = Core(settings)
        self._client = client or httpx.Client(follow_redirects=False, verify=tls_context())

    def close(self) -> None:
        self._client.close()

    def call(self, spec: Spec, options: Optional[RequestOptions], hint: Any) -> Any:
        data, response = self._run(self.core.exchange(spec, options, "application/json", read_envelope))
        return attach(convert(data, hint), response)

    def raw(self, spec: Spec, options: Optional[RequestOptions]) -> Response:
        answer: Response = self._run(self.core.exchange(spec, options, "*/*", read_raw))
        return answer

    def page(self, spec: Spec, options: Optional[RequestOptions], hint: Any) -> Page[Any]:
        data, response = self._run(self.core.exchange(spec, options, "application/json", read_envelope))

        def follow(cursor: str) -> Page[Any]:
            query = {**(spec.query or {}), "cursor": cursor}
            return self.page(Spec(spec.id, spec.method, spec.path, spec.params, query), options, hint)

        return Page([convert(item, hint) for item in data["items"]], data["has_more"], data["next_cursor"], follow, response)

    def stream(self, spec: Spec, options: Optional[RequestOptions], hint: Any) -> EventStream[Any]:
        return EventStream(self, spec, options or {}, hint)

    def open(self, spec: Spec, options: RequestOptions) -> Reply:
        reply: Reply = self._run(self.core.exchange(spec, options, "text/event-stream", lambda r: r, stream=True))
        return reply

    def sleep(self, seconds: float) -> None:
        (self.core.settings.runtime.sleep or time.sleep)(seconds)

    def _run(self, work: Generator[Effect, Any, Any]) -> Any:
        try:
            effect = next(work)
            while True:
                try:
                    result = self._perform(effect)
                except BaseException as error:
                    effect = work.throw(error)
                else:
                    effect = work.send(result)
        except StopIteration as done:
            return done.value

    def _perform(self, effect: Effect) -> Any:
        if isinstance(effect, Sleep):
            return self.sleep(effect.seconds)
        try:
            return self._send(effect)
        except httpx.TimeoutException as error:
            raise ApiTimeoutError(f"No whole answer within {effect.timeout:g} s.") from error
        except (httpx.TransportError, httpx.StreamError, httpx.InvalidURL, httpx.DecodingError) as error:
            raise ApiConnectionError(f"{effect.method} could not be completed: {error or type(error).__name__}") from error

    def _send(self, send: Send) -> Reply:
        ends = time.monotonic() + send.timeout
        idle = self.core.settings.stream_idle_timeout if send.stream else send.timeout
        timeout = httpx.Timeout(send.timeout, read=idle)
        request = self._client.build_request(send.method, send.url, headers=dict(send.headers), content=send.content, timeout=timeout)
        response = self._client.send(request, stream=True)
        if send.stream and response.is_success:
            return Reply(response.status_code, response.headers, b"", response)
        chunks: List[bytes] = []
        try:
            for chunk in response.iter_bytes():
                chunks.append(chunk)
                if time.monotonic() > ends:
                    raise ApiTimeoutError(f"No whole answer within {send.timeout:g} s.")
        finally:
            response.close()
        return Reply(response.status_code, response.headers, b"".join(chunks))


class Page(Generic[T]):
    """One page of a list; iterating it gives every item of this and all following pages."""

    def __init__(
        self, items: List[T], has_more: bool, next_cursor: Optional[str], follow: Callable[[str], Page[T]], response: Response
    ) -> None:
        self.items = items
        self.has_more = has_more
        self.next_cursor = next_cursor
        self._follow = follow
        self._response = response

    def next_page(self) -> Optional[Page[T]]:
        """The page after this one, or None at the end."""
        return self._follow(self.next_cursor) if self.has_more and self.next_cursor is not None else None

    def __iter__(self) -> Iterator[T]:
        page: Optional[Page[T]] = self
        while page is not None:
            yield from page.items
            page = page.next_page()

    def __repr__(self) -> str:
        return f"Page({len(self.items)} items, has_more={self.has_more})"


class EventStream(Generic[T]):
    """A stream of events that outlives its connections: it reconnects and goes on behind the last event it gave."""

    def __init__(self, transport: Transport, spec: Spec, options: RequestOptions, hint: Any) -> None:
        settings = transport.core.settings
        most = options.get("max_retries", settings.stream_max_reconnects)
        self._transport, self._spec, self._options, self._most = transport, spec, options, most
        self._state: StreamState[T] = StreamState(settings, hint, options.get("last_event_id", ""), most)
        self._open: Optional[httpx.Response] = None
        self._closed = False

    @property
    def last_event_id(self) -> str:
        """The id of the last event given; keep it to go on after a restart."""
        return self._state.last_event_id

    def close(self) -> None:
        """Ends the stream; a loop over it finishes."""
        self._closed = True
        if self._open is not None:
            self._open.close()

    def __enter__(self) -> EventStream[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[ServerEvent[T]]:
        try:
            while not self._closed:
                try:
                    options: RequestOptions = {**self._options, "max_retries": self._most, "last_event_id": self.last_event_id}
                    reply = self._transport.open(self._spec, options)
                    if reply.status == 204:
                        return
                    yield from self._read(reply.handle)
                except ApiConnectionError:
                    if self._closed:
                        return
                    if not self._state.may_reconnect():
                        raise
                if not self._closed:
                    self._transport.sleep(self._state.delay())
        finally:
            self.close()

    def _read(self, response: httpx.Response) -> Iterator[ServerEvent[T]]:
        self._open = response
        self._state.connected()
        try:
            for chunk in response.iter_raw():
                for event in self._state.feed(chunk):
                    self._state.last_event_id = event.id
                    yield event
                    if self._closed:
                        return
        except (httpx.TransportError, httpx.StreamError) as error:
            raise ApiConnectionError(f"The stream was cut: {error or type(error).__name__}") from error
        finally:
            response.close()
