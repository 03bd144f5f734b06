"""One TLS context a process: making one reads every root certificate, which takes longer than a call."""

from __future__ import annotations

import ssl
from functools import lru_cache

import httpx


@lru_cache(maxsize=1)
def tls_context() -> ssl.SSLContext:
    return httpx.create_ssl_context()
