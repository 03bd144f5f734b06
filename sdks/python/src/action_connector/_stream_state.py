"""What a stream remembers between connections: place, wait, failures. Does no I/O."""

from __future__ import annotations

import codecs
import json
from dataclasses import dataclass
from typing import Any, Generic, List, Optional, TypeVar

from ._core import Settings
from ._model import convert
from ._sse import SseParser

T = TypeVar("T")


@dataclass(frozen=True)
class ServerEvent(Generic[T]):
    """One event of a stream."""

    #: Pass it as last_event_id to go on behind this event; empty when the service gave none.
    id: str
    #: Its name, e.g. ``delivery.scheduled``; ``reset`` says that the place asked for is no longer kept.
    event: str
    data: T


class StreamState(Generic[T]):
    def __init__(self, settings: Settings, hint: Any, last_event_id: str, max_reconnects: int) -> None:
        self.last_event_id = last_event_id
        self._settings = settings
        self._hint = hint
        self._most = max_reconnects
        self._failures = 0
        self._retry: Optional[float] = None
        self.connected()

    def connected(self) -> None:
        self._parser = SseParser(self.last_event_id)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, chunk: bytes) -> List[ServerEvent[T]]:
        self._failures = 0
        raw = self._parser.push(self._decoder.decode(chunk))
        self._retry = self._parser.retry if self._parser.retry is not None else self._retry
        # "ready" only says that the stream is open.
        return [ServerEvent(one.id, one.event, self._read(one.event, one.data)) for one in raw if one.event != "ready"]

    def may_reconnect(self) -> bool:
        """Counts a failure; False when there were too many in a row."""
        self._failures += 1
        return self._failures <= self._most

    def delay(self) -> float:
        chosen = self._settings.stream_reconnect_delay
        return chosen if chosen is not None else self._retry if self._retry is not None else 3.0

    def _read(self, event: str, text: str) -> Any:
        try:
            parsed = json.loads(text)
        except ValueError:
            return text
        return parsed if event == "reset" else convert(parsed, self._hint)
