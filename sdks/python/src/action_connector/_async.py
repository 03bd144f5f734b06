"""Drives the same core with httpx's asynchronous client."""

from __future__ import annotations

import asyncio
import time
from typing import Any, AsyncIterator, Awaitable, Callable, Generator, Generic, List, Optional, TypeVar

import httpx

from ._core import Core, Effect, Reply, RequestOptions, Send, Settings, Sleep, Spec, read_envelope, read_raw
from ._errors import ApiConnectionError, ApiTimeoutError
from ._model import Response, attach, convert
from ._stream_state import ServerEvent, StreamState
from ._tls import tls_context

T = TypeVar("T")


class AsyncTransport:
    def __init__(self, settings: Settings, client: Optional[httpx.AsyncClient]) -> None:
        self.core = Core(settings)
        self._client = client or httpx.AsyncClient(follow_redirects=False, verify=tls_context())

    async def close(self) -> None:
        await self._client.aclose()

    async def call(self, spec: Spec, options: Optional[RequestOptions], hint: Any) -> Any:
        data, response = await self._run(self.core.exchange(spec, options, "application/json", read_envelope))
        return attach(convert(data, hint), response)

    async def raw(self, spec: Spec, options: Optional[RequestOptions]) -> Response:
        answer: Response = await self._run(self.core.exchange(spec, options, "*/*", read_raw))
        return answer

    def page(self, spec: Spec, options: Optional[RequestOptions], hint: Any) -> AsyncPager[Any]:
        async def fetch(cursor: Optional[str]) -> AsyncPage[Any]:
            query = dict(spec.query or {}) if cursor is None else {**(spec.query or {}), "cursor": cursor}
            asked = Spec(spec.id, spec.method, spec.path, spec.params, query)
            data, response = await self._run(self.core.exchange(asked, options, "application/json", read_envelope))
            return AsyncPage([convert(item, hint) for item in data["items"]], data["has_more"], data["next_cursor"], fetch, response)

        return AsyncPager(fetch)

    def stream(self, spec: Spec, options: Optional[RequestOptions], hint: Any) -> AsyncEventStream[Any]:
        return AsyncEventStream(self, spec, options or {}, hint)

    async def open(self, spec: Spec, options: RequestOptions) -> Reply:
        reply: Reply = await self._run(self.core.exchange(spec, options, "text/event-stream", lambda r: r, stream=True))
        return reply

    async def sleep(self, seconds: float) -> None:
        test_sleep = self.core.settings.runtime.sleep
        if test_sleep is not None:
            test_sleep(seconds)
        else:
            await asyncio.sleep(seconds)

    async def _run(self, work: Generator[Effect, Any, Any]) -> Any:
        try:
            effect = next(work)
            while True:
                try:
                    result = await self._perform(effect)
                except BaseException as error:
                    effect = work.throw(error)
                else:
                    effect = work.send(result)
        except StopIteration as done:
            return done.value

    async def _perform(self, effect: Effect) -> Any:
        if isinstance(effect, Sleep):
            return await self.sleep(effect.seconds)
        try:
            return await self._send(effect)
        except httpx.TimeoutException as error:
            raise ApiTimeoutError(f"No whole answer within {effect.timeout:g} s.") from error
        except (httpx.TransportError, httpx.StreamError, httpx.InvalidURL, httpx.DecodingError) as error:
            raise ApiConnectionError(f"{effect.method} could not be completed: {error or type(error).__name__}") from error

    async def _send(self, send: Send) -> Reply:
        ends = time.monotonic() + send.timeout
        idle = self.core.settings.stream_idle_timeout if send.stream else send.timeout
        timeout = httpx.Timeout(send.timeout, read=idle)
        request = self._client.build_request(send.method, send.url, headers=dict(send.headers), content=send.content, timeout=timeout)
        response = await self._client.send(request, stream=True)
        if send.stream and response.is_success:
            return Reply(response.status_code, response.headers, b"", response)
        chunks: List[bytes] = []
        try:
            async for chunk in response.aiter_bytes():
                chunks.append(chunk)
                if time.monotonic() > ends:
                    raise ApiTimeoutError(f"No whole answer within {send.timeout:g} s.")
        finally:
            await response.aclose()
        return Reply(response.status_code, response.headers, b"".join(chunks))


Fetch = Callable[[Optional[str]], Awaitable["AsyncPage[T]"]]


class AsyncPage(Generic[T]):
    """One page of a list; iterating it gives every item of this and all following pages."""

    def __init__(self, items: List[T], has_more: bool, next_cursor: Optional[str], fetch: Fetch[T], response: Response) -> None:
        self.items = items
        self.has_more = has_more
        self.next_cursor = next_cursor
        self._fetch = fetch
        self._response = response

    async def next_page(self) -> Optional[AsyncPage[T]]:
        """The page after this one, or None at the end."""
        return await self._fetch(self.next_cursor) if self.has_more and self.next_cursor is not None else None

    async def __aiter__(self) -> AsyncIterator[T]:
        page: Optional[AsyncPage[T]] = self
        while page is not None:
            for item in page.items:
                yield item
            page = await page.next_page()

    def __repr__(self) -> str:
        return f"AsyncPage({len(self.items)} items, has_more={self.has_more})"


class AsyncPager(Generic[T]):
    """``await`` gives the first page; ``async for`` gives every item of every page."""

    def __init__(self, fetch: Fetch[T]) -> None:
        self._fetch = fetch

    def __await__(self) -> Generator[Any, Any, AsyncPage[T]]:
        return self._first().__await__()

    async def _first(self) -> AsyncPage[T]:
        return await self._fetch(None)

    async def __aiter__(self) -> AsyncIterator[T]:
        async for item in await self._first():
            yield item


class AsyncEventStream(Generic[T]):
    """A stream of events that outlives its connections: it reconnects and goes on behind the last event it gave."""

    def __init__(self, transport: AsyncTransport, spec: Spec, options: RequestOptions, hint: Any) -> None:
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

    async def close(self) -> None:
        """Ends the stream; a loop over it finishes."""
        self._closed = True
        if self._open is not None:
            await self._open.aclose()

    async def __aenter__(self) -> AsyncEventStream[T]:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def __aiter__(self) -> AsyncIterator[ServerEvent[T]]:
        try:
            while not self._closed:
                try:
                    options: RequestOptions = {**self._options, "max_retries": self._most, "last_event_id": self.last_event_id}
                    reply = await self._transport.open(self._spec, options)
                    if reply.status == 204:
                        return
                    async for event in self._read(reply.handle):
                        yield event
                except ApiConnectionError:
                    if self._closed:
                        return
                    if not self._state.may_reconnect():
                        raise
                if not self._closed:
                    await self._transport.sleep(self._state.delay())
        finally:
            await self.close()

    async def _read(self, response: httpx.Response) -> AsyncIterator[ServerEvent[T]]:
        self._open = response
        self._state.connected()
        try:
            async for chunk in response.aiter_raw():
                for event in self._state.feed(chunk):
                    self._state.last_event_id = event.id
                    yield event
                    if self._closed:
                        return
        except (httpx.TransportError, httpx.StreamError) as error:
            raise ApiConnectionError(f"The stream was cut: {error or type(error).__name__}") from error
        finally:
            await response.aclose()
