"""Ask how long a delivery takes, schedule it, find it again, call it off."""

from datetime import datetime, timedelta, timezone

from action_connector import ActionConnector
from action_connector.types import DeliveryDropoffInput, DeliveryPickupInput

client = ActionConnector()
tomorrow = (datetime.now(timezone.utc) + timedelta(days=1)).strftime("%Y-%m-%dT%H:00:00Z")
pickup: DeliveryPickupInput = {"address": "350 5th Ave, New York, NY 10118", "time": tomorrow}
dropoff: DeliveryDropoffInput = {"address": "Downtown Brooklyn"}

estimate = client.delivery.estimate(pickup=pickup, dropoff=dropoff)
print(f"between {estimate.eta.window.from_} and {estimate.eta.window.to}")

delivery = client.delivery.schedule(pickup=pickup, dropoff=dropoff, items=[{"name": "Cake", "quantity": 1}], tags=["bakery"])
print(f"{delivery.delivery_id} is {delivery.status}, expected at {delivery.dropoff.estimated_arrival}")

found = client.delivery.get(delivery.delivery_id)
print(f"{', '.join(found.tags)}: {found.timeline[0].status} since {found.timeline[0].at}")

canceled = client.delivery.cancel(delivery.delivery_id, reason="The party is off.")
print(f"{canceled.status}: {canceled.reason}")
