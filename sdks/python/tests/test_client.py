"""What needs no service: settings, redaction, header and event-stream reading, webhook signatures."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest
from datetime import datetime, timedelta, timezone
from typing import Any, Dict, List, Optional
from unittest import mock

import httpx

import action_connector as ac
from action_connector import _core, testing, types
from action_connector._quota import read_quota
from action_connector._retry import read_retry_after
from action_connector._sse import SseParser

HERE = pathlib.Path(__file__).resolve().parent
CASES = pathlib.Path(os.environ.get("ACTION_CONNECTOR_CASES", HERE / "../../cases"))
VECTORS = json.loads((CASES / "vectors.json").read_text("utf-8"))
NOW = float(VECTORS["now"])
KEY = VECTORS["keys"]["good"]


class SharedVectors(unittest.TestCase):
    def test_retry_after(self) -> None:
        for case in VECTORS["retry_after"]:
            seconds = read_retry_after(httpx.Headers(case["headers"]), NOW)
            self.assertEqual(case["ms"], None if seconds is None else seconds * 1000, case)

    def test_quota(self) -> None:
        for case in VECTORS["quota"]:
            seen = read_quota(httpx.Headers(case["headers"]), NOW)
            if case.get("none"):
                self.assertIsNone(seen, case)
            else:
                want = (case["policy"], case["limit"], case["remaining"], case["window_seconds"], NOW + case["reset_in"])
                assert seen is not None
                self.assertEqual(want, (seen.policy, seen.limit, seen.remaining, seen.window_seconds, seen.reset_at))

    def test_events(self) -> None:
        for case in VECTORS["events"]:
            for pieces in (case["pieces"], list("".join(case["pieces"]))):
                parser = SseParser()
                seen = [vars(event) for piece in pieces for event in parser.push(piece)]
                self.assertEqual(case["events"], seen)
                self.assertEqual(case.get("retry_ms"), None if parser.retry is None else parser.retry * 1000)

    def test_base_urls(self) -> None:
        for case in VECTORS["base_urls"]:
            if "base" in case:
                self.assertEqual(case["base"], ac.ActionConnector(KEY, case["given"]).base_url)
            else:
                with self.assertRaisesRegex(ac.ActionConnectorError, "base address"):
                    ac.ActionConnector(KEY, case["given"])


class Settings(unittest.TestCase):
    def test_environment(self) -> None:
        names = ("ACTION_CONNECTOR_API_KEY", "ACTION_CONNECTOR_BASE_URL")
        with mock.patch.dict(os.environ, {name: "" for name in names}):
            with self.assertRaisesRegex(ac.ActionConnectorError, names[0]):
                ac.ActionConnector()
            os.environ[names[0]] = KEY
            with self.assertRaisesRegex(ac.ActionConnectorError, names[1]):
                ac.ActionConnector()
            os.environ[names[1]] = "https://api.example.com"
            self.assertEqual("https://api.example.com/api/v1", ac.ActionConnector().base_url)

    def test_bad_keys_are_refused_unseen(self) -> None:
        for key in filter(None, VECTORS["keys"]["bad"]):
            with self.assertRaisesRegex(ac.ActionConnectorError, "^The API key holds"):
                ac.ActionConnector(key, "https://x.example")

    def test_no_print_shows_the_key(self) -> None:
        client = ac.ActionConnector(KEY, "https://x.example")
        core: Any = client._client_transport.core
        for text in (repr(client), str(client), repr(core.settings), repr(client.delivery), str(ac.AsyncActionConnector(KEY, "https://x"))):
            self.assertNotIn(KEY, text)
        self.assertIn(VECTORS["keys"]["shown"], repr(client))


class Models(unittest.TestCase):
    def test_attributes_items_and_unknown_names(self) -> None:
        window = {"from": "2026-12-01T15:00:00Z", "to": "2026-12-01T16:00:00Z"}
        delivery = types.Delivery({"delivery_id": "dlv_1", "eta": {"window": window, "precision": "street"}, "later": 1})
        self.assertEqual("dlv_1", delivery.delivery_id)
        self.assertEqual("2026-12-01T15:00:00Z", delivery.eta.window.from_)
        self.assertIsInstance(delivery.eta.window, types.DeliveryWindow)
        self.assertEqual(1, delivery["later"])
        with self.assertRaises(AttributeError):
            delivery.nonsense
        with self.assertRaises(AttributeError):
            delivery.delivery_id = "x"

    def test_no_print_shows_a_secret(self) -> None:
        shown = [types.NewKey({"id": "key_1", "key": "acn_live_x"}), types.NewWebhook({"id": "whk_1", "secret": "whsec_x"})]
        self.assertEqual("[NewKey(id='key_1'), NewWebhook(id='whk_1')]", repr(shown))

    def test_paths_and_queries(self) -> None:
        self.assertEqual("/a/b%2Fc%3F/d", _core.expand("/a/{id}/d", ("b/c?",)))
        self.assertEqual("?a=1%2C2&b=true&c=x%20y", _core.encode_query({"a": [1, 2], "b": True, "c": "x y", "d": None}))


class ForTestsOfUsers(unittest.TestCase):
    def test_a_fake_answers_refuses_and_remembers(self) -> None:
        fake = testing.Fake({
            "POST /delivery/couriers": lambda request: {"id": "crr_1", "name": request.body["name"]},
            "GET /delivery/{id}": testing.Refusal(404, "not_found", "No such delivery."),
        })
        client = fake.client()
        self.assertEqual("crr_1", client.delivery.couriers.create(name="Ada").id)
        with self.assertRaises(ac.NotFoundError):
            client.delivery.get("dlv_1")
        self.assertEqual(["/delivery/couriers", "/delivery/dlv_1"], [request.path for request in fake.requests])

    def test_a_signed_webhook_passes(self) -> None:
        secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        body = '{"id":"evt_1","type":"webhook.test","data":{"webhook_id":"whk_1"}}'
        event = ac.unwrap_webhook(body, ac.sign_webhook(body, secret, id="evt_1"), secret)
        self.assertEqual("whk_1", event.data.webhook_id)

    def test_datetimes_are_sent_and_parsed(self) -> None:
        fake = testing.Fake({
            "POST /delivery/schedule": lambda request: {"pickup": {"scheduled_time": request.body["pickup"]["time"]}},
            "GET /delivery": {"items": [], "has_more": False, "next_cursor": None},
        })
        client = fake.client()
        moment = datetime(2026, 12, 1, 16, 0, tzinfo=timezone(timedelta(hours=1)))
        made = client.delivery.schedule(pickup={"address": "350 5th Ave", "time": moment}, dropoff={"address": "Downtown"})
        self.assertEqual("2026-12-01T15:00:00Z", made.pickup.scheduled_time)
        self.assertEqual(moment, made.pickup.scheduled_time.datetime)
        client.delivery.list(from_=moment)
        self.assertEqual("2026-12-01T15:00:00Z", fake.requests[1].query["from"])
        with self.assertRaisesRegex(ValueError, "no time zone"):
            client.delivery.list(from_=datetime(2026, 12, 1))

    def test_nanoseconds_are_cut(self) -> None:
        self.assertEqual(123456, ac.Timestamp("2026-11-13T15:30:00.123456789Z").datetime.microsecond)

    def test_a_refusal_writes_nothing_unless_asked_to(self) -> None:
        script = (
            "from action_connector import NotFoundError, testing\n"
            "try: testing.Fake({'GET /delivery/{id}': testing.Refusal(404, 'not_found')}).client().delivery.get('dlv_1')\n"
            "except NotFoundError: pass\n"
        )
        ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        self.assertEqual("", ran.stderr)

    def test_each_attempt_is_logged_without_the_key(self) -> None:
        with self.assertLogs("action_connector", "INFO") as seen:
            testing.Fake({"GET /user/profile": {}}).client().user.profile()
        self.assertRegex(seen.output[0], r"action-connector: GET /user/profile 200 \d+ ms req_fake")
        self.assertNotIn("acn_test_", seen.output[0])


def sign(secret: str, message_id: str, timestamp: int, body: str) -> str:
    key = base64.b64decode(re.sub("^whsec_", "", secret))
    text = f"{message_id}.{timestamp}.{body}".encode()
    return "v1," + base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()


class Webhooks(unittest.TestCase):
    secret = "whsec_" + base64.b64encode(b"a secret of twenty-four!").decode()
    other = "whsec_" + base64.b64encode(b"another one, just as long").decode()
    body = json.dumps({"id": "evt_1", "type": "delivery.scheduled", "data": {"delivery_id": "dlv_1"}})

    def headers(self, **changes: str) -> Dict[str, str]:
        signature = sign(self.secret, "evt_1", int(NOW), self.body)
        named = {"Webhook-Id": "evt_1", "webhook-timestamp": str(int(NOW)), "webhook-signature": signature}
        return {**named, **{name.replace("_", "-"): value for name, value in changes.items()}}

    def test_any_of_several_secrets(self) -> None:
        event = ac.unwrap_webhook(self.body.encode(), self.headers(), [self.other, self.secret], now=NOW)
        self.assertIsInstance(event.data, types.Delivery)
        self.assertEqual("dlv_1", event.data.delivery_id)

    def test_refusals(self) -> None:
        def refused(body: str, headers: Dict[str, str], secret: str, now: float) -> None:
            with self.assertRaises(ac.WebhookVerificationError):
                ac.verify_webhook(body, headers, secret, now=now)

        refused(self.body + " ", self.headers(), self.secret, NOW)
        refused(self.body, self.headers(), self.other, NOW)
        refused(self.body, self.headers(), self.secret, NOW + 301)
        refused(self.body, self.headers(), self.secret, NOW - 301)
        refused(self.body, self.headers(webhook_signature="v1,"), self.secret, NOW)
        ac.verify_webhook(self.body, self.headers(), self.secret, now=NOW + 600, tolerance_seconds=600)


class SharedCases(unittest.TestCase):
    """Signatures and event streams, the same cases in every language."""

    def read(self, name: str) -> Any:
        return json.loads((CASES / name).read_text("utf-8"))

    def test_signatures(self) -> None:
        for v in self.read("signatures.json")["sign"]:
            headers = {"webhook-id": v["id"], "webhook-timestamp": str(v["timestamp"]), "webhook-signature": v["expected"]}
            ac.verify_webhook(v["payload"], headers, v.get("public") or v["secret"], now=v["timestamp"])
            with self.assertRaises(ac.WebhookVerificationError):
                ac.verify_webhook(v["payload"] + " ", headers, v.get("public") or v["secret"], now=v["timestamp"])

    def test_verify(self) -> None:
        for v in self.read("signatures.json")["verify"]:
            timestamp = int(NOW) + v["timestamp_offset_s"]
            right = sign(v["secret"], v["id"], timestamp, v["payload"])

            def cut(match: "re.Match[str]", right: str = right) -> str:
                return right[int(match.group(1)) : int(match.group(2))] if match.group(1) else right

            named: Dict[str, Optional[str]] = {"webhook-id": v["id"], "webhook-timestamp": str(timestamp), "webhook-signature": right}
            named.update({n: t and re.sub(r"\{sig(?::(\d+):(\d+))?\}", cut, t) for n, t in v["header_overrides"].items()})
            headers = {name: value for name, value in named.items() if value is not None}
            try:
                ac.verify_webhook(v["payload"], headers, v["secret"], now=NOW)
                accepted = True
            except ac.WebhookVerificationError:
                accepted = False
            self.assertEqual(v["accept"], accepted, v["name"])

    def test_bad_secrets(self) -> None:
        for v in self.read("signatures.json")["bad_secrets"]:
            with self.assertRaises((ValueError, TypeError)):
                ac.verify_webhook("", {}, v["secret"])

    def test_event_streams(self) -> None:
        for case in self.read("streams.json"):
            for pieces in ([case["stream"]], list(case["stream"])):
                parser = SseParser()
                seen: List[Any] = [event for piece in pieces for event in parser.push(piece)]
                self.assertEqual([(e["event"], e["data"]) for e in case["events"]], [(e.event, e.data) for e in seen], case["name"])
                for want, got in zip(case["events"], seen):
                    self.assertEqual(want.get("lastEventId", got.id), got.id, case["name"])


if __name__ == "__main__":
    unittest.main()
