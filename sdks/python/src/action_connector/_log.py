"""One line for each attempt: method, path, status, time, request id. Never a key, never a body."""

from __future__ import annotations

import logging
import os
import sys
from typing import Mapping, Optional

_logger = logging.getLogger("action_connector")
# Without any handler Python itself writes errors to standard error, and a refusal that the program expects would show.
_logger.addHandler(logging.NullHandler())


class Log:
    """Lines go to the logger ``action_connector``. ACTION_CONNECTOR_LOG=info or =error also writes them to standard error."""

    def __init__(self, level: Optional[str] = None) -> None:
        wanted = (level or os.environ.get("ACTION_CONNECTOR_LOG", "")).lower()
        chosen = {"info": logging.INFO, "debug": logging.INFO, "error": logging.ERROR}.get(wanted)
        if chosen is not None and not any(getattr(h, "_action_connector", False) for h in _logger.handlers):
            handler = logging.StreamHandler(sys.stderr)
            handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
            setattr(handler, "_action_connector", True)
            _logger.addHandler(handler)
        if chosen is not None:
            _logger.setLevel(chosen)


def log_attempt(
    _: Log, what: str, status: Optional[int], headers: Mapping[str, str], seconds: float, failure: str
) -> None:
    failed = status is None or status >= 400
    level = logging.ERROR if failed else logging.INFO
    if not _logger.isEnabledFor(level):
        return
    parts = ["action-connector:", what, str(status or ""), f"{seconds * 1000:.0f} ms", headers.get("x-request-id", ""), failure]
    _logger.log(level, " ".join(part for part in parts if part))
