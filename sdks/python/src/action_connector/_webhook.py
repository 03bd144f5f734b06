"""Standard Webhooks 1.0.0: proves that a webhook came from the service, whole and recently."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import math
import re
import time
from typing import Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import _ed25519
from ._errors import WebhookVerificationError
from ._generated.types import WebhookEvent

Body = Union[str, bytes]


def unwrap_webhook(
    body: Body,
    headers: Mapping[str, str],
    secrets: Union[str, Sequence[str]],
    *,
    tolerance_seconds: int = 300,
    now: Optional[float] = None,
) -> WebhookEvent:
    """Verifies, then gives the event. ``body`` must be the very text or bytes that arrived."""
    verify_webhook(body, headers, secrets, tolerance_seconds=tolerance_seconds, now=now)
    return WebhookEvent(json.loads(body))


def verify_webhook(
    body: Body,
    headers: Mapping[str, str],
    secrets: Union[str, Sequence[str]],
    *,
    tolerance_seconds: int = 300,
    now: Optional[float] = None,
) -> None:
    """Raises WebhookVerificationError unless one signature fits one secret and the timestamp is near."""
    keys = [_read_key(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    if not keys:
        raise ValueError("At least one webhook secret is needed.")
    given = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not given.get(name):
            raise WebhookVerificationError(f"The header {name} is missing.")
    timestamp = given["webhook-timestamp"]
    if not re.match(r"\A[0-9]{1,15}\Z", timestamp):
        raise WebhookVerificationError("The timestamp is not in Unix seconds.")
    # Whole seconds: the timestamp has no finer ones.
    age = math.floor(time.time() if now is None else now) - int(timestamp)
    if abs(age) > tolerance_seconds:
        raise WebhookVerificationError("The timestamp is too old or too far ahead.")
    content = body.encode("utf-8") if isinstance(body, str) else bytes(body)
    signed = f"{given['webhook-id']}.{timestamp}.".encode("utf-8") + content
    entries = given["webhook-signature"].split(" ")
    if not any(_fits(key, entry, signed) for key in keys for entry in entries):
        raise WebhookVerificationError("No signature fits.")


def sign_webhook(body: Body, secret: str, *, id: str = "evt_test", timestamp: Optional[int] = None) -> Dict[str, str]:
    """The headers with which the service would send this body, for tests of your own receiver. The secret is a whsec_ one."""
    version, key = _read_key(secret)
    if version != "v1":
        raise ValueError("A public key cannot sign. Give the whsec_ secret.")
    at = str(int(time.time()) if timestamp is None else timestamp)
    content = body.encode("utf-8") if isinstance(body, str) else bytes(body)
    digest = hmac.new(key, f"{id}.{at}.".encode("utf-8") + content, hashlib.sha256).digest()
    return {"webhook-id": id, "webhook-timestamp": at, "webhook-signature": "v1," + base64.b64encode(digest).decode("ascii")}


def _fits(key: Tuple[str, bytes], entry: str, signed: bytes) -> bool:
    version, _, encoded = entry.partition(",")
    signature = _decode(encoded)
    if version != key[0] or signature is None:
        return False
    if version == "v1a":
        return _ed25519.verify(key[1], signed, signature)
    return hmac.compare_digest(hmac.new(key[1], signed, hashlib.sha256).digest(), signature)


def _read_key(secret: str) -> Tuple[str, bytes]:
    """The key is the decoded bytes after ``whsec_`` (or ``whpk_`` for a public key), never the text itself."""
    text = secret if isinstance(secret, str) else ""
    version = "v1a" if text.startswith("whpk_") else "v1"
    decoded = _decode(re.sub(r"\A(whsec_|whpk_)", "", text))
    if not decoded:
        raise ValueError("A webhook secret is whsec_ followed by base64.")
    return version, decoded


def _decode(text: str) -> Optional[bytes]:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


__all__: List[str] = ["sign_webhook", "unwrap_webhook", "verify_webhook"]
