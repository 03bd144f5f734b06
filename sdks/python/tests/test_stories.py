"""The stories shared by all languages: the host hands out steps and judges what was seen; this file only does them,
once with the synchronous client and once with the asynchronous one."""

from __future__ import annotations

import asyncio
import json
import keyword
import os
import re
import time
import unittest
import urllib.parse
import urllib.request
from typing import Any, Dict, List, Optional, Union

import action_connector as ac
from action_connector._model import Model

HOST = os.environ.get("ACTION_CONNECTOR_STORIES", "")

KINDS = {
    ac.BadRequestError: "bad_request",
    ac.AuthenticationError: "authentication",
    ac.PermissionDeniedError: "permission_denied",
    ac.NotFoundError: "not_found",
    ac.ConflictError: "conflict",
    ac.UnprocessableError: "unprocessable",
    ac.RateLimitError: "rate_limit",
    ac.ServerError: "server",
    ac.ApiError: "api",
    ac.ApiTimeoutError: "timeout",
    ac.ApiConnectionError: "connection",
    asyncio.CancelledError: "canceled",
    ValueError: "argument",
    ac.WebhookVerificationError: "webhook",
}


def ask(path: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(HOST + path, data=data), timeout=120) as response:
        return json.load(response)


class Telling:
    """One story under way, with time that passes only when the client waits."""

    def __init__(self, name: str) -> None:
        self.told = ask(f"/stories/{urllib.parse.quote(name, safe='')}", {})
        self.offset = 0.0
        self.waits: List[float] = []
        self.warnings: List[str] = []

    def settings(self) -> Dict[str, Any]:
        client = self.told["client"]
        runtime = ac.Runtime(now=lambda: time.time() + self.offset, warn=self.warnings.append, sleep=self._sleep)
        chosen: Dict[str, Any] = {"api_key": self.told["api_key"], "base_url": self.told["base_url"], "runtime": runtime}
        for name, factor in (("max_retries", 1), ("pacing", 1), ("timeout_ms", 0.001), ("total_timeout_ms", 0.001), ("stream_idle_timeout_ms", 0.001)):
            if name in client:
                chosen[name.replace("_ms", "")] = client[name] * factor if factor != 1 else client[name]
        return chosen

    def _sleep(self, seconds: float) -> None:
        self.offset += seconds
        self.waits.append(seconds * 1000)

    def report(self, seen: Dict[str, Any], quota: Optional[ac.QuotaSnapshot]) -> None:
        shown = quota and {k: getattr(quota, k) for k in ("policy", "limit", "remaining", "window_seconds")}
        run = self.told["run"]
        self.told = {**self.told, **ask(f"/runs/{run}", {**seen, "waits_ms": self.waits, "warnings": self.warnings, "quota": shown})}
        self.waits.clear()
        self.warnings.clear()


def describe(error: BaseException) -> Dict[str, Any]:
    shown: Dict[str, Any] = {"kind": KINDS.get(type(error), repr(error)), "message": str(error)}
    if isinstance(error, ac.ApiError):
        shown.update(status=error.status, code=error.code, hint=error.hint, request_id=error.request_id)
        shown.update(faults=[vars(fault) for fault in error.errors])
        if error.retry_after is not None:
            shown["retry_after_ms"] = round(error.retry_after * 1000, 3)
    return shown


def safe(name: str) -> str:
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace(".", "_").lower()
    return snake + "_" if keyword.iskeyword(snake) else snake


def method_of(client: Any, call: str) -> Any:
    *resource, name = call.split(".")
    for part in resource:
        client = getattr(client, safe(part))
    return getattr(client, safe(name))


def arguments(step: Dict[str, Any]) -> Dict[str, Any]:
    given = step.get("options", {})
    options = {name.replace("_ms", ""): value / 1000 if name.endswith("_ms") else value for name, value in given.items()}
    body = {} if step.get("content") else step.get("body", {})
    fields = {safe(name): value for name, value in {**body, **step.get("query", {})}.items()}
    return {**fields, "options": options}


def places(step: Dict[str, Any]) -> List[Any]:
    return [*step.get("path", []), *([step["body"]] if step.get("content") else [])]


def plain(value: Any) -> Any:
    if isinstance(value, Model):
        return value.to_dict()
    if isinstance(value, (ac.Page, ac.AsyncPage)):
        return {"items": [plain(item) for item in value.items], "has_more": value.has_more, "next_cursor": value.next_cursor}
    if isinstance(value, ac.ServerEvent):
        return {"id": value.id, "event": value.event, "data": plain(value.data)}
    return value


def answered(value: Any) -> Dict[str, Any]:
    response = ac.response_of(value)
    shown = response and {"status": response.status, "request_id": response.request_id}
    return {"value": plain(value), "response": shown}


def unwrap(step: Dict[str, Any]) -> Dict[str, Any]:
    given = step["body"]
    try:
        return {"value": plain(ac.unwrap_webhook(given["body"], given["headers"], given["secrets"]))}
    except Exception as error:
        return {"error": describe(error)}


def perform(client: ac.ActionConnector, step: Dict[str, Any]) -> Dict[str, Any]:
    if step["call"] == "$unwrap":
        return unwrap(step)
    if step.get("cancel"):
        return {"skip": "a blocking call is only ended by its timeout"}
    start = method_of(client, step["call"])
    try:
        if step.get("as") == "items":
            return {"value": [plain(item) for item in start(*places(step), **arguments(step))]}
        if step.get("as") == "events":
            events: List[Any] = []
            with start(*places(step), **arguments(step)) as stream:
                for event in stream:
                    events.append(plain(event))
                    if len(events) >= step["take"]:
                        break
            return {"value": events}
        value = None
        for _ in range(step.get("repeat", 1)):
            value = start(*places(step), **arguments(step))
        return answered(value)
    except Exception as error:
        return {"error": describe(error)}


async def perform_async(client: ac.AsyncActionConnector, step: Dict[str, Any], run: str) -> Dict[str, Any]:
    if step["call"] == "$unwrap":
        return unwrap(step)
    start = method_of(client, step["call"])
    try:
        if step.get("as") == "items":
            return {"value": [plain(item) async for item in start(*places(step), **arguments(step))]}
        if step.get("as") == "events":
            events: List[Any] = []
            async with start(*places(step), **arguments(step)) as stream:
                async for event in stream:
                    events.append(plain(event))
                    if len(events) >= step["take"]:
                        break
            return {"value": events}
        value = None
        for _ in range(step.get("repeat", 1)):
            task = asyncio.ensure_future(start(*places(step), **arguments(step)))
            if step.get("cancel"):
                await asyncio.get_running_loop().run_in_executor(None, ask, f"/runs/{run}/held")
                task.cancel()
            value = await task
        return answered(value)
    except (Exception, asyncio.CancelledError) as error:
        return {"error": describe(error)}


def forget_deprecation() -> None:
    """The two clients share a process, and each is to tell once."""
    from action_connector import _core

    _core._deprecation_told = False


@unittest.skipUnless(HOST, "ACTION_CONNECTOR_STORIES names no story host; run sdks/test.ts")
class Stories(unittest.TestCase):
    def test_sync(self) -> None:
        forget_deprecation()
        for name in ask("/stories")["stories"]:
            with self.subTest(story=name):
                telling = Telling(name)
                with ac.ActionConnector(**telling.settings()) as client:
                    while not telling.told.get("done"):
                        telling.report(perform(client, telling.told["step"]), client.quota)
                self._finish(name, telling, "sync")

    def test_async(self) -> None:
        forget_deprecation()
        for name in ask("/stories")["stories"]:
            with self.subTest(story=name):
                telling = Telling(name)

                async def tell(telling: Telling = telling) -> None:
                    async with ac.AsyncActionConnector(**telling.settings()) as client:
                        while not telling.told.get("done"):
                            seen = await perform_async(client, telling.told["step"], telling.told["run"])
                            telling.report(seen, client.quota)

                asyncio.run(tell())
                self._finish(name, telling, "async")

    def _finish(self, name: str, telling: Telling, how: str) -> None:
        faults: Union[str, List[str]] = telling.told.get("faults", [])
        print(json.dumps({"story": f"{name} ({how})", "ok": telling.told.get("ok"), "faults": faults}), flush=True)
        self.assertTrue(telling.told.get("ok"), "\n".join(faults))


if __name__ == "__main__":
    unittest.main()
