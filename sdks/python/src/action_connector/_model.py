"""Answers as objects: attributes by the generated annotations, items by the names on the wire."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any, ClassVar, Dict, Iterator, Mapping, Optional, Type, TypeVar, Union, get_args, get_origin, get_type_hints

M = TypeVar("M", bound="Model")
_HINTS: Dict[type, Dict[str, Any]] = {}


class Timestamp(str):
    """A time as the service writes it, e.g. ``2026-12-01T15:00:00Z``: a string that can also give its datetime."""

    @property
    def datetime(self) -> datetime:
        """The same moment as an aware datetime in UTC; digits beyond microseconds are dropped."""
        text = self.replace("Z", "+00:00")
        whole, dot, rest = text.partition(".")
        if dot:
            digits = len(rest) - len(rest.lstrip("0123456789"))
            text = f"{whole}.{rest[:digits][:6].ljust(6, '0')}{rest[digits:]}"
        return datetime.fromisoformat(text).astimezone(timezone.utc)


class Response:
    """Status and headers of an answer."""

    def __init__(self, status: int, headers: Mapping[str, str], content: bytes) -> None:
        self.status = status
        self.headers = headers
        self.content = content

    @property
    def request_id(self) -> Optional[str]:
        return self.headers.get("x-request-id")

    @property
    def content_type(self) -> str:
        return self.headers.get("content-type", "")

    @property
    def text(self) -> str:
        return self.content.decode("utf-8")

    def __repr__(self) -> str:
        return f"Response(status={self.status}, request_id={self.request_id!r})"


#: Shown once by the service, and so in no print: the key of a new key, the secret of a new webhook.
SECRETS = ("key", "secret")


class Model:
    """An object of the service. ``x.name`` and ``x["name"]`` are the same; names that a later version of the service
    adds are there too. A name that is a keyword of Python gets an underscore as attribute: ``window.from_``."""

    #: Attribute → name on the wire, where they differ.
    _wire: ClassVar[Dict[str, str]] = {}

    def __init__(self, data: Mapping[str, Any], response: Optional[Response] = None) -> None:
        object.__setattr__(self, "_data", data)
        object.__setattr__(self, "_response", response)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        key = self._wire.get(name, name)
        if key in self._data:
            return convert(self._data[key], _hints(type(self)).get(name, Any))
        if name in _hints(type(self)):
            return None
        raise AttributeError(f"{type(self).__name__} has no field {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is read-only")

    def __getitem__(self, key: str) -> Any:
        return self._data[key]

    def __contains__(self, key: object) -> bool:
        return key in self._data

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and bool(self._data == other._data)

    def __repr__(self) -> str:
        fields = ", ".join(f"{key}={value!r}" for key, value in self._data.items() if key not in SECRETS)
        return f"{type(self).__name__}({fields})"

    def to_dict(self) -> Dict[str, Any]:
        """The object as it came."""
        return dict(self._data)


def response_of(value: Any) -> Optional[Response]:
    """Status, headers and request id of the answer that an object or a page came with."""
    found = getattr(value, "_response", None)
    return found if isinstance(found, Response) else None


def convert(value: Any, hint: Any) -> Any:
    """Dresses plain JSON in the class that the annotation names."""
    origin = get_origin(hint)
    if origin is Union:
        options = [option for option in get_args(hint) if option is not type(None)]
        fitting = [option for option in options if isinstance(value, dict) and _is_model(option)]
        return value if value is None else convert(value, fitting[0] if fitting else options[0] if len(options) == 1 else Any)
    if origin is list and isinstance(value, list):
        (item,) = get_args(hint) or (Any,)
        return [convert(one, item) for one in value]
    if origin is dict and isinstance(value, dict):
        inner = get_args(hint)[1] if get_args(hint) else Any
        return {key: convert(one, inner) for key, one in value.items()}
    if isinstance(value, dict) and _is_model(hint):
        return hint(value)
    if hint is Timestamp and isinstance(value, str):
        return Timestamp(value)
    return value


def attach(value: Any, response: Response) -> Any:
    if isinstance(value, Model):
        object.__setattr__(value, "_response", response)
    return value


def _is_model(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Model)


def _hints(kind: Type[Model]) -> Dict[str, Any]:
    if kind not in _HINTS:
        _HINTS[kind] = get_type_hints(kind)
    return _HINTS[kind]
