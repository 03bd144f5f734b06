// Check texts for signs of AI generation. A verdict is a probability with its reasons, never proof.
package main

import (
	"context"
	"fmt"
	"log"

	ac "github.com/action-connector/action-connector-go"
	"github.com/action-connector/action-connector-go/api"
)

const letter = `We got to the lake around noon, later than planned because Piet had forgotten the oars and we had to turn round at the
bakery. Nobody minded. The water was flat and a bit green at the edges, and my sister swore she saw an otter, though she has
sworn that every summer since we were nine. We ate the rolls on the jetty. Then it rained, properly, for twenty minutes, and
the four of us sat under the boat, which smelled of varnish and mice, and argued about whether the old man in the red hut was
still alive. He was. He came down later and told us to put it back the way we found it.`

func main() {
	client, err := ac.New()
	check(err)
	ctx := context.Background()

	single, err := client.Detector.Analyze(ctx, api.DetectorAnalyzeRequest{Content: ac.Ptr(letter)})
	check(err)
	fmt.Printf("%d words in %s: %s, score %g\n", *single.Words, *single.Language, *single.Verdict, *single.Score)
	for i, signal := range single.Signals {
		if i < 2 {
			fmt.Printf("- %s points to %s\n", signal.Name, signal.Direction)
		}
	}

	batch, err := client.Detector.Analyze(ctx, api.DetectorAnalyzeRequest{Items: []api.DetectorItemInput{
		{ID: ac.Ptr("short"), Content: ac.Ptr("Too short to say.")}, {ID: ac.Ptr("letter"), Content: ac.Ptr(letter)},
	}})
	check(err)
	for _, result := range batch.Results {
		if result.Error != nil {
			fmt.Printf("%s: %s\n", *result.ID, result.Error.Code)
		} else {
			fmt.Printf("%s: %s\n", *result.ID, *result.Verdict)
		}
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
