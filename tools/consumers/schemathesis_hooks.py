"""What Schemathesis cannot know of the contract: its string formats (server/contract/formats.ts), the other forms of a
value (`x-also-as`), and that a key must not revoke or narrow itself or its account while it is in use. Counts the statuses it saw."""

import atexit
import collections
import itertools
import json
import os
import re
import urllib.request
from datetime import datetime, timedelta, timezone

import schemathesis
from hypothesis import strategies as st
from schemathesis.engine.run.stateful import _executor
from schemathesis.specs.openapi import stateful

# Scenarios begin with what needs no id. The tool would begin with POST /delivery/{id}/cancel too, and never with
# POST /delivery/schedule, because it takes the caller's own external_id for the id of something that nobody makes.
stateful.is_likely_root_transition = lambda operation, *_: operation.method in ("get", "post") and not operation.path_parameters

# The same request does not always get the same answer here (a second order, a deleted key), and the tool ends the phase
# when it notices. The scenarios that it was to try are tried all the same, with another seed.
SCENARIOS = 300
classify_flaky = _executor._classify_flaky


def go_on(*, ctx, **others):
    status, retry, found = classify_flaky(ctx=ctx, **others)
    return status, retry or ctx.completed_scenarios < SCENARIOS, found


_executor._classify_flaky = go_on

# Letters and punctuation that a person may type: no control characters, something to read.
TEXT = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x24F, exclude_categories=("Cc", "Cs", "Zs")), min_size=3, max_size=40)
# In the past nothing can be scheduled, so most times are ahead.
NOW = datetime.now(timezone.utc).replace(microsecond=0)
TIMES = st.integers(-24 * 60, 20 * 24 * 60).map(
    lambda minutes: (NOW + timedelta(minutes=minutes)).isoformat().replace("+00:00", "Z")
)
# Places and pages that the service knows: without them hardly anything is made that a link could lead on from.
ADDRESSES = st.sampled_from(
    ["350 5th Ave, New York, NY 10118", "Downtown Brooklyn, NY", "100 Broadway, New York, NY 10005", "Boston, MA"]
)
PAGES = st.sampled_from(["kettle", "lamp", "rug"]).map(lambda page: f"{os.environ['CONSUMER_URL']}/demo-shop/{page}")

schemathesis.openapi.format("text", TEXT)
schemathesis.openapi.format("multi-line", TEXT)
schemathesis.openapi.format("address", ADDRESSES | ADDRESSES | TEXT)
schemathesis.openapi.format("date-time", TIMES)
schemathesis.openapi.format("time-or-asap", TIMES)
schemathesis.openapi.format("time-zone", st.sampled_from(["Europe/Berlin", "America/New_York", "UTC"]))
schemathesis.openapi.format("decimal", st.from_regex(r"\A-?(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?\Z"))
schemathesis.openapi.format("url", PAGES | st.from_regex(r"\Ahttps://[a-z]{1,20}\.example/[a-z0-9]{0,20}\Z"))
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


def own_ids():
    """Of the key and of its account: a smaller plan or a suspension would turn every later answer into 429 or 403."""
    headers = {"Authorization": f"Bearer {os.environ['CONSUMER_KEY']}"}
    request = urllib.request.Request(f"{os.environ['CONSUMER_URL']}/api/v1/user/profile", headers=headers)
    with urllib.request.urlopen(request) as response:
        profile = json.load(response)["data"]
    return {profile["key"]["id"], profile["user_id"]}


OWN_IDS = own_ids()


@schemathesis.hook
def filter_path_parameters(context, path_parameters):
    return (path_parameters or {}).get("id") not in OWN_IDS


def spare_own(case):
    """A link leads to the own id too, past the filter above."""
    if case.method in ("PATCH", "DELETE") and case.path_parameters.get("id") in OWN_IDS:
        case.path_parameters["id"] = f"{case.path_parameters['id'][:4]}{'0' * 26}"


calls = itertools.count()


@schemathesis.hook
def before_call(context, case, kwargs):
    """Every call gets an idempotency key and a client address of its own: one key for many bodies is refused for just
    that, and an address that sends more than 20 wrong API keys a minute gets 429 instead of the 401 to be checked."""
    # A case about a wrong or missing header stays as it is.
    location = getattr(case.meta.phase.data, "parameter_location", None) if case.meta else None
    if location is not None and location.name == "HEADER":
        return
    spare_own(case)
    call = next(calls)
    # The service runs as behind one proxy (index.ts). 198.18.0.0/15 is for tests.
    case.headers["X-Forwarded-For"] = f"198.18.{call // 256 % 256}.{call % 256}"
    key = case.headers.get("Idempotency-Key")
    if isinstance(key, str) and re.fullmatch(r"[!-~]{1,200}", key):
        case.headers["Idempotency-Key"] = f"{key}-{call}"


# Codes of faults that only the schema check of the service gives (server/contract/faults.ts). Rules beyond the schema share
# the others: enum (an event type that does not exist), one_of (of a query, or after a PATCH was merged), required (a digest
# for the mode digest), format, minimum, unknown.
SHAPE_FAULTS = set(
    "blank const maxItems maxLength maxProperties maximum minItems minLength minProperties name pattern type uniqueItems".split()
)


@schemathesis.check
def valid_shape_is_accepted(ctx, response, case):
    """positive_data_acceptance has to allow 400, for rules that JSON Schema cannot say. A fault of shape is none of them."""
    if response.status_code != 400 or not case.meta or not case.meta.generation.mode.is_positive:
        return
    faults = [fault for fault in response.json()["error"].get("errors", []) if fault["code"] in SHAPE_FAULTS]
    # An id in the path may come from a link that the tool guessed: in an analysis, `id` is the caller's own and may be null.
    faults = [fault for fault in faults if not (fault["pointer"] == "/id" and "{id}" in case.operation.path)]
    # A number is taken for a decimal if it has at most 15 digits: JSON Schema cannot say that.
    faults = [fault for fault in faults if not fault["detail"].endswith("must be a string, not a number")]
    assert not faults, f"The schema allows what its check refuses: {json.dumps(faults)[:500]}"


STATUSES = collections.Counter()


@schemathesis.hook
def after_call(context, case, response):
    STATUSES[response.status_code] += 1


@atexit.register
def print_statuses():
    print("Statuses:", " ".join(f"{status}×{count}" for status, count in sorted(STATUSES.items())))
