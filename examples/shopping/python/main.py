"""Track the price of a product, read what is known of it, stop."""

from urllib.parse import urljoin

from action_connector import ActionConnector

client = ActionConnector()
# A test key tracks the service's own demo shop; a live key tracks any shop.
url = urljoin(client.base_url, "/demo-shop/kettle")

tracker = client.shopping.track(url=url, target_price="40.00", tags=["kitchen"])
assert tracker.id and tracker.product and tracker.price and tracker.availability
print(f"{tracker.product.name}: {tracker.price.amount} {tracker.price.currency}, {tracker.availability.status}")

for one in client.shopping.list(tag="kitchen"):
    print(f"{one.id} tells when it costs {one.alerts.target_price} or less")

history = client.shopping.history(tracker.id, resolution="changes")
print(f"prices since {history.items[0].at}: {str(len(history.items) > 0).lower()}")

gone = client.shopping.delete(tracker.id)
print(f"stopped: {str(gone.deleted).lower()}")
