// Track the price of a product, read what is known of it, stop.
package main

import (
	"context"
	"fmt"
	"log"
	"strings"

	ac "github.com/action-connector/action-connector-go"
	"github.com/action-connector/action-connector-go/api"
)

func main() {
	client, err := ac.New()
	check(err)
	ctx := context.Background()
	// A test key tracks the service's own demo shop; a live key tracks any shop.
	url := strings.TrimSuffix(client.BaseURL(), "/api/v1") + "/demo-shop/kettle"

	tracker, err := client.Shopping.Track(ctx, api.ShoppingTrackQuery{URL: &url, TargetPrice: ac.Ptr("40.00"), Tags: []string{"kitchen"}})
	check(err)
	fmt.Printf("%s: %s %s, %s\n", *tracker.Product.Name, tracker.Price.Amount, *tracker.Price.Currency, tracker.Availability.Status)

	list := client.Shopping.List(ctx, api.ShoppingListQuery{Tag: ac.Ptr("kitchen")})
	for list.Next() {
		fmt.Printf("%s tells when it costs %s or less\n", *list.Current().ID, *list.Current().Alerts.TargetPrice)
	}
	check(list.Err())

	history, err := client.Shopping.History(ctx, *tracker.ID, api.ShoppingHistoryQuery{Resolution: ac.Ptr("changes")})
	check(err)
	fmt.Printf("prices since %s: %t\n", history.Items[0].At, len(history.Items) > 0)

	gone, err := client.Shopping.Delete(ctx, *tracker.ID)
	check(err)
	fmt.Printf("stopped: %t\n", gone.Deleted)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
