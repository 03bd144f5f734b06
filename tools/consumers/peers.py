"""The same few questions to three Python SDKs (ours, Stripe's, OpenAI's) against a local server; prints what they did."""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import metadata

sys.path.insert(0, sys.argv[1])
import action_connector
import openai
import stripe

KEY = "sk_test_thisIsTheSecretKey"
seen = []


class Refusal(BaseHTTPRequestHandler):
    """Every request is answered with 503."""

    def do_POST(self):
        seen.append(self.headers.get("Idempotency-Key"))
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b'{"success":false,"error":{"code":"overloaded","retryable":true}}'
        self.send_response(503)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Refusal)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}"

ours = action_connector.ActionConnector(api_key="acn_test_thisIsTheSecretKey", base_url=url)
theirs = stripe.StripeClient(KEY, base_addresses={"api": url})
ai = openai.OpenAI(api_key=KEY, base_url=f"{url}/v1")
place = {"address": "350 5th Ave", "time": "2026-12-01T15:00:00Z"}
calls = {
    "ours": (ours, lambda: ours.delivery.schedule(pickup=place, dropoff={"address": "Brooklyn"})),
    "stripe": (theirs, lambda: theirs.v1.customers.create(params={"name": "Ada"})),
    "openai": (ai, lambda: ai.chat.completions.create(model="m", messages=[{"role": "user", "content": "hi"}])),
}


def dependencies(name):
    needed = [line for line in metadata.requires(name) or [] if "extra ==" not in line]
    return str(len(needed))


answers = {"attempts": {}, "key": {}, "printed": {}}
for name, (client, call) in calls.items():
    seen.clear()
    try:
        call()
    except Exception:
        pass
    answers["attempts"][name] = str(len(seen))
    kept = len(seen) > 1 and len(set(seen)) == 1
    answers["key"][name] = "none" if not seen or seen[0] is None else "made, the same in retries" if kept else "made"
    answers["printed"][name] = "shown" if "thisIsTheSecretKey" in repr(client) + str(vars(client)) else "hidden"
rows = [
    {"question": "Python: attempts of a write while the service answers 503", **answers["attempts"]},
    {"question": "Python: idempotency key on a write", **answers["key"]},
    {"question": "Python: the key in `repr` and `vars` of the client", **answers["printed"]},
    {"question": "Python: dependencies", "ours": sys.argv[2], "stripe": dependencies("stripe"), "openai": dependencies("openai")},
]
print(json.dumps({"stripe": metadata.version("stripe"), "openai": metadata.version("openai"), "rows": rows}))
