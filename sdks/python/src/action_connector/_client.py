"""The two clients: they read their settings and hold the namespaces."""

from __future__ import annotations

import os
from typing import Any, Mapping, Optional

import httpx

from ._async import AsyncTransport
from ._core import NOT_GIVEN, RequestOptions, Runtime, Settings, Spec, checked_key, redact, whole_base
from ._generated.resources import AsyncNamespaces, Namespaces
from ._model import Response
from ._quota import QuotaSnapshot
from ._sync import Transport


def _settings(
    api_key: Optional[str],
    base_url: Optional[str],
    timeout: float,
    total_timeout: float,
    max_retries: int,
    pacing: bool,
    headers: Optional[Mapping[str, str]],
    stream_idle_timeout: float,
    stream_max_reconnects: int,
    stream_reconnect_delay: Optional[float],
    runtime: Optional[Runtime],
) -> Settings:
    key = checked_key(api_key or os.environ.get("ACTION_CONNECTOR_API_KEY"))
    base = whole_base(base_url or os.environ.get("ACTION_CONNECTOR_BASE_URL"))
    return Settings(
        key, base, timeout, total_timeout, max_retries, pacing, headers or {}, stream_idle_timeout, stream_max_reconnects,
        stream_reconnect_delay, runtime or Runtime(),
    )


class ActionConnector(Namespaces):
    """The synchronous client; safe for use by many threads. ``timeout`` is in seconds for one attempt, ``total_timeout``
    for a whole call with its retries and waits. With ``pacing`` it waits for the quota instead of being refused."""

    def __init__(
        self,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        timeout: float = 60.0,
        total_timeout: float = 300.0,
        max_retries: int = 2,
        pacing: bool = False,
        headers: Optional[Mapping[str, str]] = None,
        http_client: Optional[httpx.Client] = None,
        stream_idle_timeout: float = 45.0,
        stream_max_reconnects: int = 8,
        stream_reconnect_delay: Optional[float] = None,
        runtime: Optional[Runtime] = None,
    ) -> None:
        settings = _settings(
            api_key, base_url, timeout, total_timeout, max_retries, pacing, headers, stream_idle_timeout,
            stream_max_reconnects, stream_reconnect_delay, runtime,
        )
        self._client_transport = Transport(settings, http_client)
        self.base_url = settings.base_url
        super().__init__(self._client_transport)

    @property
    def quota(self) -> Optional[QuotaSnapshot]:
        """What was left of the quota after the last answer; None before the first."""
        return self._client_transport.core.quota.snapshot

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Response:
        """Any call of the service, also one this version has no method for; the answer is given as it came."""
        return self._client_transport.raw(Spec(f"{method} {path}", method, path, (), query, body), options)

    def close(self) -> None:
        self._client_transport.close()

    def __enter__(self) -> ActionConnector:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"ActionConnector(base_url={self.base_url!r}, api_key={redact(self._client_transport.core.settings.api_key)!r})"


class AsyncActionConnector(AsyncNamespaces):
    """The asynchronous client; the same names and settings as ActionConnector."""

    def __init__(
        self,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        timeout: float = 60.0,
        total_timeout: float = 300.0,
        max_retries: int = 2,
        pacing: bool = False,
        headers: Optional[Mapping[str, str]] = None,
        http_client: Optional[httpx.AsyncClient] = None,
        stream_idle_timeout: float = 45.0,
        stream_max_reconnects: int = 8,
        stream_reconnect_delay: Optional[float] = None,
        runtime: Optional[Runtime] = None,
    ) -> None:
        settings = _settings(
            api_key, base_url, timeout, total_timeout, max_retries, pacing, headers, stream_idle_timeout,
            stream_max_reconnects, stream_reconnect_delay, runtime,
        )
        self._client_transport = AsyncTransport(settings, http_client)
        self.base_url = settings.base_url
        super().__init__(self._client_transport)

    @property
    def quota(self) -> Optional[QuotaSnapshot]:
        """What was left of the quota after the last answer; None before the first."""
        return self._client_transport.core.quota.snapshot

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Response:
        """Any call of the service, also one this version has no method for; the answer is given as it came."""
        return await self._client_transport.raw(Spec(f"{method} {path}", method, path, (), query, body), options)

    async def close(self) -> None:
        await self._client_transport.close()

    async def __aenter__(self) -> AsyncActionConnector:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"AsyncActionConnector(base_url={self.base_url!r}, api_key={redact(self._client_transport.core.settings.api_key)!r})"
