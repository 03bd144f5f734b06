"""What Schemathesis cannot know of the contract: its string formats (server/contract/formats.ts), the other forms of a
value (`x-also-as`), and that a key must not revoke or narrow itself while it is in use. Counts the statuses it saw."""

import atexit
import collections
import itertools
import json
import os
import re
import urllib.request
from datetime import datetime

import schemathesis
from hypothesis import strategies as st

# Letters and punctuation that a person may type: no control characters, something to read.
TEXT = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x24F, exclude_categories=("Cc", "Cs", "Zs")), min_size=3, max_size=40)
TIMES = st.datetimes(datetime(2026, 1, 1), datetime(2026, 12, 31)).map(lambda moment: moment.replace(microsecond=0).isoformat() + "Z")

schemathesis.openapi.format("text", TEXT)
schemathesis.openapi.format("multi-line", TEXT)
schemathesis.openapi.format("address", TEXT)
schemathesis.openapi.format("date-time", TIMES)
schemathesis.openapi.format("time-or-asap", TIMES)
schemathesis.openapi.format("time-zone", st.sampled_from(["Europe/Berlin", "America/New_York", "UTC"]))
schemathesis.openapi.format("decimal", st.from_regex(r"\A-?(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?\Z"))
schemathesis.openapi.format("url", st.from_regex(r"\Ahttps://[a-z]{1,20}\.example/[a-z0-9]{0,20}\Z"))
schemathesis.openapi.format("cidr", st.sampled_from(["203.0.113.7", "203.0.113.0/24", "2001:db8::/32"]))


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """`x-also-as` stands beside a schema so that generated types stay plain; for this tool it is one more way to be right."""
    for part in ("paths", "components"):
        raw_schema[part] = with_forms(raw_schema[part])


def with_forms(value):
    if isinstance(value, list):
        return [with_forms(item) for item in value]
    if not isinstance(value, dict):
        return value
    value = {key: with_forms(member) for key, member in value.items()}
    forms = value.pop("x-also-as", None)
    return {"anyOf": [value, *forms]} if forms else value


def own_key_id():
    headers = {"Authorization": f"Bearer {os.environ['CONSUMER_KEY']}"}
    request = urllib.request.Request(f"{os.environ['CONSUMER_URL']}/api/v1/user/profile", headers=headers)
    with urllib.request.urlopen(request) as response:
        return json.load(response)["data"]["key"]["id"]


OWN_KEY_ID = own_key_id()


@schemathesis.hook
def filter_path_parameters(context, path_parameters):
    return (path_parameters or {}).get("id") != OWN_KEY_ID


calls = itertools.count()


@schemathesis.hook
def before_call(context, case, kwargs):
    """One key for many bodies would be refused for just that: every call gets a key of its own, if its key can be one."""
    # A case about a wrong or missing header stays as it is.
    location = getattr(case.meta.phase.data, "parameter_location", None) if case.meta else None
    if location is not None and location.name == "HEADER":
        return
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and re.fullmatch(r"[!-~]{1,200}", key):
        case.headers["Idempotency-Key"] = f"{key}-{next(calls)}"


STATUSES = collections.Counter()


@schemathesis.hook
def after_call(context, case, response):
    STATUSES[response.status_code] += 1


@atexit.register
def print_statuses():
    print("Statuses:", " ".join(f"{status}×{count}" for status, count in sorted(STATUSES.items())))
