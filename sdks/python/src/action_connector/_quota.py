"""What is left of the quota, as the last answer said it; and waiting for it, when pacing is on."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from typing import Dict, Mapping, Optional, Tuple

_ITEM = re.compile(r'\A\s*"([^"\\]*)"((?:\s*;\s*[a-z*][a-z0-9_.*-]*=[^;,]+)*)\s*(?:,|\Z)')
_PARAMETER = re.compile(r";\s*([a-z*][a-z0-9_.*-]*)=\s*([0-9]{1,15})\s*(?=;|\Z)")


@dataclass(frozen=True)
class QuotaSnapshot:
    #: Name of the policy, e.g. ``free``.
    policy: Optional[str]
    limit: Optional[int]
    remaining: int
    window_seconds: Optional[int]
    #: Unix seconds when the oldest counted request leaves the window.
    reset_at: float


def read_quota(headers: Mapping[str, str], now: float) -> Optional[QuotaSnapshot]:
    """Reads the fields of draft-ietf-httpapi-ratelimit-headers-11, else X-RateLimit-*; None when neither is whole."""
    left = _item(headers.get("ratelimit"))
    if left is not None and "r" in left[1]:
        policy = _item(headers.get("ratelimit-policy"))
        rules: Dict[str, int] = policy[1] if policy else {}
        return QuotaSnapshot(left[0], rules.get("q"), left[1]["r"], rules.get("w"), now + left[1].get("t", 0))
    remaining = _whole(headers.get("x-ratelimit-remaining"))
    if remaining is None:
        return None
    reset = _whole(headers.get("x-ratelimit-reset")) or 0
    return QuotaSnapshot(None, _whole(headers.get("x-ratelimit-limit")), remaining, None, float(reset))


def _item(text: Optional[str]) -> Optional[Tuple[str, Dict[str, int]]]:
    """The first item of a structured-field list of strings with whole-number parameters; None when malformed."""
    match = _ITEM.match(text or "")
    if match is None:
        return None
    return match.group(1), {key: int(value) for key, value in _PARAMETER.findall(match.group(2))}


def _whole(text: Optional[str]) -> Optional[int]:
    return int(text) if text is not None and re.match(r"\A[0-9]{1,15}\Z", text) else None


class QuotaTracker:
    """Keeps the snapshot, counts what is under way, and says how long to wait before sending."""

    def __init__(self) -> None:
        self.snapshot: Optional[QuotaSnapshot] = None
        self._under_way = 0
        self._lock = threading.Lock()

    def reserve(self, now: float, pacing: bool) -> float:
        """0 and counted when a request may go now; otherwise the seconds to wait before asking again."""
        with self._lock:
            seen = self.snapshot
            if pacing and seen is not None and seen.remaining - self._under_way <= 0:
                if now < seen.reset_at:
                    return seen.reset_at - now
                if self._under_way > 0:
                    return 0.05
            self._under_way += 1
            return 0.0

    def answered(self, headers: Optional[Mapping[str, str]], now: float) -> None:
        with self._lock:
            self._under_way -= 1
            seen = read_quota(headers, now) if headers is not None else None
            if seen is not None:
                self.snapshot = seen
