"""The official Python client connects in both revisions and uses every tool. Run by `npm run conformance -- python`."""

import asyncio
import importlib.metadata
import sys

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

URL, KEY = sys.argv[1:3]
REVISIONS = {"2025-11-25": "legacy", "2026-07-28": "2026-07-28"}
ORDER = {
    "pickup_address": "350 5th Ave, New York",
    "pickup_time": "2026-11-02T15:00:00Z",
    "dropoff_address": "Downtown Brooklyn",
}


async def use_every_tool(revision: str, mode: str) -> int:
    headers = {"Authorization": f"Bearer {KEY}"}
    async with httpx2.AsyncClient(headers=headers) as http_client:
        transport = streamable_http_client(f"{URL}/mcp", http_client=http_client)
        async with Client(transport, mode=mode) as client:
            listed = {tool.name for tool in (await client.list_tools()).tools}
            used = set()

            async def call(name: str, /, **arguments):
                result = await client.call_tool(name, arguments)
                if result.is_error:
                    raise SystemExit(f"{revision}: {name} failed: {result.content[0].text}")
                used.add(name)
                return result.structured_content

            def key(n: int) -> str:
                return f"python-{revision}-{n}"

            page = f"{URL}/demo-shop/kettle"
            scheduled = await call("schedule_delivery", **ORDER, idempotency_key=key(1))
            again = await call("schedule_delivery", **ORDER, idempotency_key=key(1))
            if again["delivery_id"] != scheduled["delivery_id"] or again.get("replayed") is not True:
                raise SystemExit(f"{revision}: a second delivery was scheduled")
            delivery = {"delivery_id": scheduled["delivery_id"]}
            tracker = await call("track_product", url=page, target_price="30.00", idempotency_key=key(2))
            alert = await call("create_alert", query="kettle", idempotency_key=key(3))
            await call("estimate_delivery", **ORDER)
            await call("get_delivery", **delivery)
            await call("list_deliveries", limit=5)
            await call("reschedule_delivery", **delivery, pickup_time="2026-11-02T17:00:00Z", idempotency_key=key(4))
            await call("cancel_delivery", **delivery, idempotency_key=key(5))
            await call("check_product_price", url=page)
            await call("list_tracked_products")
            await call("get_price_history", tracker_id=tracker["id"], days=7)
            await call("stop_tracking_product", tracker_id=tracker["id"], idempotency_key=key(6))
            await call("get_stock_quote", symbols=["AAPL", "MSFT"])
            await call("find_stock_symbol", name="apple")
            await call("get_market_hours", market="XLON", at="2026-12-28T10:00:00Z")
            await call("create_price_level", symbol="AAPL", above="9000", idempotency_key=key(7))
            await call("preview_alert", query="kettle", content=[{"text": "a new kettle"}])
            await call("list_alerts")
            await call("get_alert_matches", alert_id=alert["id"])
            await call("pause_alert", alert_id=alert["id"], idempotency_key=key(8))
            await call("check_ai_content", content="The committee met on Tuesday. " * 20)
            await call("list_events", limit=3)
            await call("get_account")
            await call("search_actions", question="add a courier")
            await call("call_action", action="usage.get")
            if used != listed:
                raise SystemExit(f"{revision}: not used: {sorted(listed - used)}")
            negotiated = client.session.protocol_version
            if negotiated != revision:
                raise SystemExit(f"asked for {revision}, got {negotiated}")
            return len(used)


async def main() -> None:
    version = importlib.metadata.version("mcp")
    for revision, mode in REVISIONS.items():
        count = await use_every_tool(revision, mode)
        print(f"Python client mcp {version}, {revision}: {count} of {count} tools used")


asyncio.run(main())
