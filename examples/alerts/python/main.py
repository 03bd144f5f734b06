"""Watch for a tag, push some content, see what matched."""

from action_connector import ActionConnector

client = ActionConnector()

alert = client.alerts.create(query='#launch AND "acme rocket" -hiring', name="Rocket launches")
print(f"{alert.name} is {alert.status}, watching {alert.query.canonical}")

preview = client.alerts.preview(tag="#launch", content=[{"text": "Two days to the #launch!"}])
print(f"a preview matches {preview.preview.matched}")

client.alerts.content({"title": "The Acme rocket is ready", "text": "Join the #launch on Friday.", "url": "https://example.com/1"})
client.alerts.content({"title": "Acme rocket is hiring", "text": "#launch your career", "url": "https://example.com/2"})

for match in client.alerts.matches(alert.id):
    print(f"matched {match.item.title} by {', '.join(match.matched_terms)}")

gone = client.alerts.delete(alert.id)
print(f"deleted: {str(gone.deleted).lower()}")
