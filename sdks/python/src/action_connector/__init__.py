"""Python client of Action Connector: deliveries, price tracking, stock quotes, tag alerts and AI-text signals."""

from . import types
from ._async import AsyncEventStream, AsyncPage, AsyncPager
from ._client import ActionConnector, AsyncActionConnector
from ._core import NOT_GIVEN, NotGiven, RequestOptions, Runtime
from ._errors import (
    ActionConnectorError,
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    Fault,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    UnprocessableError,
    WebhookVerificationError,
)
from ._model import Model, Response, Timestamp, response_of
from ._quota import QuotaSnapshot
from ._stream_state import ServerEvent
from ._sync import EventStream, Page
from ._version import __version__
from ._webhook import sign_webhook, unwrap_webhook, verify_webhook

__all__ = [
    "NOT_GIVEN",
    "ActionConnector",
    "ActionConnectorError",
    "ApiConnectionError",
    "ApiError",
    "ApiTimeoutError",
    "AsyncActionConnector",
    "AsyncEventStream",
    "AsyncPage",
    "AsyncPager",
    "AuthenticationError",
    "BadRequestError",
    "ConflictError",
    "EventStream",
    "Fault",
    "Model",
    "NotFoundError",
    "NotGiven",
    "Page",
    "PermissionDeniedError",
    "QuotaSnapshot",
    "RateLimitError",
    "RequestOptions",
    "Response",
    "Runtime",
    "ServerError",
    "ServerEvent",
    "Timestamp",
    "UnprocessableError",
    "WebhookVerificationError",
    "__version__",
    "response_of",
    "sign_webhook",
    "types",
    "unwrap_webhook",
    "verify_webhook",
]
