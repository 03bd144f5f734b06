"""Answers calls without a service, for the tests of a program that uses the client."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Union

import httpx

from ._client import ActionConnector, AsyncActionConnector


@dataclass(frozen=True)
class Refusal:
    """An answer that refuses."""

    status: int
    code: str
    detail: str = ""


@dataclass(frozen=True)
class FakeRequest:
    """One request that was made; ``path`` is without /api/v1."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: Any


Answer = Union[Any, Refusal, Callable[[FakeRequest], Any]]


class Fake:
    """``Fake({"POST /delivery/schedule": {...}, "GET /delivery/{id}": lambda request: {...}})`` answers each route with its
    data, with a Refusal, or with what a function gives. ``client()`` and ``async_client()`` reach this fake alone."""

    def __init__(self, routes: Mapping[str, Answer]) -> None:
        self._routes = dict(routes)
        self.requests: List[FakeRequest] = []

    def client(self, **settings: Any) -> ActionConnector:
        http = httpx.Client(transport=httpx.MockTransport(self._answer))
        return ActionConnector("acn_test_fake", "https://fake.example", http_client=http, **{"max_retries": 0, **settings})

    def async_client(self, **settings: Any) -> AsyncActionConnector:
        http = httpx.AsyncClient(transport=httpx.MockTransport(self._answer))
        return AsyncActionConnector("acn_test_fake", "https://fake.example", http_client=http, **{"max_retries": 0, **settings})

    def _answer(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path[len("/api/v1") :] if request.url.path.startswith("/api/v1") else request.url.path
        text = request.content
        is_json = request.headers.get("content-type") == "application/json"
        body = json.loads(text) if text and is_json else (text.decode("utf-8", "replace") or None)
        seen = FakeRequest(request.method, path, dict(request.url.params), request.headers, body)
        self.requests.append(seen)
        answer = self._find(request.method, path)
        if callable(answer):
            answer = answer(seen)
        headers = {"x-request-id": "req_fake"}
        if isinstance(answer, Refusal):
            error: Dict[str, Any] = {"code": answer.code, "status": answer.status, "title": answer.code, "detail": answer.detail or answer.code, "retryable": False}
            return httpx.Response(answer.status, json={"success": False, "error": error}, headers=headers)
        return httpx.Response(200, json={"success": True, "data": answer}, headers=headers)

    def _find(self, method: str, path: str) -> Answer:
        exact = f"{method} {path}"
        if exact in self._routes:
            return self._routes[exact]
        for route, answer in self._routes.items():
            verb, _, pattern = route.partition(" ")
            if verb == method and re.fullmatch(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(pattern)), path):
                return answer
        raise AssertionError(f"The fake has no route for {exact}.")


__all__ = ["Fake", "FakeRequest", "Refusal"]
