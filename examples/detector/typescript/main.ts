// Check texts for signs of AI generation. A verdict is a probability with its reasons, never proof.
import { ActionConnector } from "action-connector";

const client = new ActionConnector();

const letter = `We got to the lake around noon, later than planned because Piet had forgotten the oars and we had to turn round at the
bakery. Nobody minded. The water was flat and a bit green at the edges, and my sister swore she saw an otter, though she has
sworn that every summer since we were nine. We ate the rolls on the jetty. Then it rained, properly, for twenty minutes, and
the four of us sat under the boat, which smelled of varnish and mice, and argued about whether the old man in the red hut was
still alive. He was. He came down later and told us to put it back the way we found it.`;

const single = await client.detector.analyze({ content: letter });
if ("verdict" in single) {
  console.log(`${single.words} words in ${single.language}: ${single.verdict}, score ${single.score}`);
  for (const signal of single.signals.slice(0, 2)) console.log(`- ${signal.name} points to ${signal.direction}`);
}

const batch = await client.detector.analyze({
  items: [
    { id: "short", content: "Too short to say." },
    { id: "letter", content: letter },
  ],
});
if ("results" in batch) {
  for (const result of batch.results)
    console.log(`${result.id}: ${"verdict" in result ? result.verdict : result.error.code}`);
}
