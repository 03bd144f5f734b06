"""Reads the event-stream format of the HTML standard, in pieces of any size. Holds no connection."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import List, Optional

_BREAK = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class RawEvent:
    id: str
    event: str
    data: str


class SseParser:
    def __init__(self, last_event_id: str = "") -> None:
        #: Seconds the service asks to wait before reconnecting; None until it says.
        self.retry: Optional[float] = None
        self._id = last_event_id
        self._buffered = ""
        self._first = True
        self._data: List[str] = []
        self._event = ""

    def push(self, text: str) -> List[RawEvent]:
        self._buffered += text
        if self._first and self._buffered:
            self._first = False
            if self._buffered.startswith("\ufeff"):
                self._buffered = self._buffered[1:]
        events: List[RawEvent] = []
        while True:
            match = _BREAK.search(self._buffered)
            # A lone CR at the very end may be half of a CRLF that is still to come.
            if match is None or (match.group() == "\r" and match.end() == len(self._buffered)):
                return events
            line = self._buffered[: match.start()]
            self._buffered = self._buffered[match.end() :]
            if line:
                self._line(line)
                continue
            if self._data:
                events.append(RawEvent(self._id, self._event or "message", "\n".join(self._data)))
            self._data, self._event = [], ""

    def _line(self, text: str) -> None:
        field, _, value = text.partition(":")
        if value.startswith(" "):
            value = value[1:]
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._event = value
        elif field == "id" and "\0" not in value:
            self._id = value
        elif field == "retry" and re.match(r"\A[0-9]{1,12}\Z", value):
            self.retry = int(value) / 1000
