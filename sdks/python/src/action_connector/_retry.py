"""When to try again, and after how long. Pure: time and chance are handed in."""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime
from typing import Callable, Mapping, Optional

from ._errors import ApiConnectionError, ApiError

FIRST_SECONDS = 0.5
MOST_SECONDS = 8.0
#: A longer wait than this is the caller's to decide.
MOST_RETRY_AFTER_SECONDS = 60.0

_NUMBER = re.compile(r"\A\s*[0-9]+(\.[0-9]+)?\s*\Z")


def is_retryable(error: Exception) -> bool:
    if isinstance(error, ApiConnectionError):
        return True
    if not isinstance(error, ApiError):
        return False
    asked = error.headers.get("x-should-retry")
    if asked in ("true", "false"):
        return asked == "true"
    if error.retryable is not None:
        return error.retryable
    return error.status in (408, 429) or error.status >= 500


def retry_wait(error: Exception, retry: int, random: Callable[[], float]) -> Optional[float]:
    """Seconds before a retry (the first is 0), or None when the service asks for too long."""
    asked = error.retry_after if isinstance(error, ApiError) else None
    if asked is not None:
        return asked if asked <= MOST_RETRY_AFTER_SECONDS else None
    return float(min(MOST_SECONDS, FIRST_SECONDS * 2**retry) * (1 - 0.25 * random()))


def read_retry_after(headers: Mapping[str, str], now: float) -> Optional[float]:
    """``Retry-After-Ms``, else ``Retry-After`` in seconds or as a date, else None."""
    ms = _number(headers.get("retry-after-ms"))
    if ms is not None:
        return ms / 1000
    given = headers.get("retry-after")
    seconds = _number(given)
    if seconds is not None or given is None:
        return seconds
    try:
        return max(0.0, parsedate_to_datetime(given).timestamp() - now)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


def _number(text: Optional[str]) -> Optional[float]:
    return float(text) if text is not None and _NUMBER.match(text) else None
