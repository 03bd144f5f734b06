"""Teaches Schemathesis the string formats of the contract; see server/contract/formats.ts."""

import schemathesis
from hypothesis import strategies as st

# Letters and punctuation that a person may type: no control characters, something to read.
TEXT = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x24F, exclude_categories=("Cc", "Cs", "Zs")), min_size=3, max_size=40)
TIMES = st.datetimes().map(lambda moment: moment.replace(year=2026, microsecond=0).isoformat() + "Z")

schemathesis.openapi.format("text", TEXT)
schemathesis.openapi.format("multi-line", TEXT)
schemathesis.openapi.format("address", TEXT)
schemathesis.openapi.format("date-time", TIMES)
schemathesis.openapi.format("time-or-asap", TIMES)
schemathesis.openapi.format("time-zone", st.sampled_from(["Europe/Berlin", "America/New_York", "UTC"]))
schemathesis.openapi.format("decimal", st.from_regex(r"\A-?[0-9]{1,9}(\.[0-9]{1,6})?\Z"))
schemathesis.openapi.format("url", st.from_regex(r"\Ahttps://[a-z]{1,20}\.example/[a-z0-9]{0,20}\Z"))
schemathesis.openapi.format("cidr", st.sampled_from(["203.0.113.7", "203.0.113.0/24", "2001:db8::/32"]))
