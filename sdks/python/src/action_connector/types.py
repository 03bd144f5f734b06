"""Every shape of the service, generated from its contract."""

from ._generated.types import *  # noqa: F403
