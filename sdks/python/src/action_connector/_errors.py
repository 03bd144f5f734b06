"""Everything a call can fail with. One class per kind of failure; no class decides whether to retry."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Type


@dataclass(frozen=True)
class Fault:
    """One fault of one field."""

    pointer: str
    code: str
    detail: str
    hint: str


class ActionConnectorError(Exception):
    """The parent of every error of this library."""


class ApiError(ActionConnectorError):
    """The service answered, and refused."""

    def __init__(
        self, status: int, headers: Mapping[str, str], body: Optional[Dict[str, Any]], retry_after: Optional[float]
    ) -> None:
        said = body or {}
        #: Stable and made for programs, e.g. ``pickup_time_in_past``; None when the answer was not the service's own.
        self.code: Optional[str] = _text(said, "code")
        self.status = status
        self.title = _text(said, "title")
        self.detail = _text(said, "detail") or f"The service answered with status {status}."
        #: What to do about it.
        self.hint = _text(said, "hint")
        self.request_id = _text(said, "request_id") or headers.get("x-request-id")
        #: What the service says about trying again; None when it says nothing.
        self.retryable: Optional[bool] = said["retryable"] if isinstance(said.get("retryable"), bool) else None
        #: Seconds the service asks to wait; None when it does not say.
        self.retry_after = retry_after
        self.errors: List[Fault] = _faults(said.get("errors"))
        self.headers = headers
        #: The whole error object, with members that only some codes have.
        self.body = body
        code = f" {self.code}" if self.code else ""
        end = "" if self.detail.endswith((".", "!", "?")) else "."
        hint = f"{end} {self.hint}" if self.hint else ""
        super().__init__(f"{status}{code}: {self.detail}{hint}")


class BadRequestError(ApiError):
    """400."""


class AuthenticationError(ApiError):
    """401."""


class PermissionDeniedError(ApiError):
    """403."""


class NotFoundError(ApiError):
    """404."""


class ConflictError(ApiError):
    """409."""


class UnprocessableError(ApiError):
    """422."""


class RateLimitError(ApiError):
    """429."""


class ServerError(ApiError):
    """500 and above."""


class ApiConnectionError(ActionConnectorError):
    """The service could not be reached, or its answer was cut short."""


class ApiTimeoutError(ApiConnectionError):
    """An attempt, or all of them together, took too long."""


class WebhookVerificationError(ActionConnectorError):
    """A webhook that must not be trusted."""


_BY_STATUS: Dict[int, Type[ApiError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    422: UnprocessableError,
    429: RateLimitError,
}


def api_error(status: int, headers: Mapping[str, str], text: str, retry_after: Optional[float]) -> ApiError:
    kind = _BY_STATUS.get(status, ServerError if status >= 500 else ApiError)
    return kind(status, headers, _read_error(text), retry_after)


def _read_error(text: str) -> Optional[Dict[str, Any]]:
    """The error object of the envelope, of a bare problem document, or None."""
    try:
        parsed = json.loads(text)
    except ValueError:
        return None
    if isinstance(parsed, dict):
        inner = parsed.get("error", parsed)
        return inner if isinstance(inner, dict) else parsed
    return None


def _text(said: Dict[str, Any], name: str) -> Optional[str]:
    value = said.get(name)
    return value if isinstance(value, str) else None


def _faults(given: Any) -> List[Fault]:
    rows = given if isinstance(given, list) else []
    names = ("pointer", "code", "detail", "hint")
    return [Fault(*(str(row.get(name, "")) for name in names)) for row in rows if isinstance(row, dict)]
