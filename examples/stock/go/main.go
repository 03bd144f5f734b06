// Ask for several quotes at once, see when the market opens, listen to a price.
package main

import (
	"context"
	"fmt"
	"log"

	ac "github.com/action-connector/action-connector-go"
	"github.com/action-connector/action-connector-go/api"
)

func main() {
	client, err := ac.New()
	check(err)
	ctx := context.Background()

	quotes, err := client.Stock.Quote(ctx, api.StockQuoteRequest{Symbols: []string{"AAPL", "VOD.L", "NOPE"}})
	check(err)
	for _, result := range quotes.Results {
		if result.OK {
			quote := result.Quote
			fmt.Printf("%s %s %s, %s\n", quote.ID, quote.Last.Price, *quote.Currency, quote.Data.Delivery)
		} else {
			fmt.Printf("%s: %s\n", result.Requested, result.Error.Code)
		}
	}

	answer, err := client.Stock.Market(ctx, "XNYS", api.StockMarketQuery{})
	check(err)
	fmt.Printf("%s opens next at %s\n", answer.Name, *answer.Market.NextOpenAt)

	stream := client.Stock.Stream(ctx, api.StockStreamQuery{Symbols: "AAPL"})
	defer stream.Close()
	if stream.Next() {
		event := stream.Current()
		fmt.Printf("%s: %s %s\n", event.Event, event.Data.Symbol, event.Data.Last.Price)
	}
	check(stream.Err())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
