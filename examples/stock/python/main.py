"""Ask for several quotes at once, see when the market opens, listen to a price."""

from action_connector import ActionConnector

client = ActionConnector()

for result in client.stock.quote(symbols=["AAPL", "VOD.L", "NOPE"]).results:
    if result.quote and result.quote.last:
        print(f"{result.quote.id} {result.quote.last.price} {result.quote.currency}, {result.quote.data.delivery}")
    elif result.error:
        print(f"{result.requested}: {result.error.code}")

answer = client.stock.market("XNYS")
print(f"{answer.name} opens next at {answer.market.next_open_at}")

with client.stock.stream(symbols="AAPL") as stream:
    for event in stream:
        print(f"{event.event}: {event.data.symbol} {event.data.last and event.data.last.price}")
        break
