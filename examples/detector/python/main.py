"""Check texts for signs of AI generation. A verdict is a probability with its reasons, never proof."""

from action_connector import ActionConnector

client = ActionConnector()

letter = """We got to the lake around noon, later than planned because Piet had forgotten the oars and we had to turn round at the
bakery. Nobody minded. The water was flat and a bit green at the edges, and my sister swore she saw an otter, though she has
sworn that every summer since we were nine. We ate the rolls on the jetty. Then it rained, properly, for twenty minutes, and
the four of us sat under the boat, which smelled of varnish and mice, and argued about whether the old man in the red hut was
still alive. He was. He came down later and told us to put it back the way we found it."""

single = client.detector.analyze(content=letter)
print(f"{single.words} words in {single.language}: {single.verdict}, score {single.score}")
for signal in (single.signals or [])[:2]:
    print(f"- {signal.name} points to {signal.direction}")

batch = client.detector.analyze(items=[{"id": "short", "content": "Too short to say."}, {"id": "letter", "content": letter}])
for result in batch.results or []:
    print(f"{result.id}: {result.error.code if result.error else result.verdict}")
