// Ask how long a delivery takes, schedule it, find it again, call it off.
package main

import (
	"context"
	"fmt"
	"log"
	"strings"
	"time"

	ac "github.com/action-connector/action-connector-go"
	"github.com/action-connector/action-connector-go/api"
)

func main() {
	client, err := ac.New()
	check(err)
	ctx := context.Background()
	tomorrow := ac.At(time.Now().Add(24 * time.Hour).Truncate(time.Hour))
	pickup := api.DeliveryPickupInput{Address: "350 5th Ave, New York, NY 10118", Time: tomorrow}
	dropoff := api.DeliveryDropoffInput{Address: "Downtown Brooklyn"}

	estimate, err := client.Delivery.Estimate(ctx, api.DeliveryQuoteRequest{Pickup: pickup, Dropoff: dropoff})
	check(err)
	fmt.Printf("between %s and %s\n", estimate.ETA.Window.From, estimate.ETA.Window.To)

	delivery, err := client.Delivery.Schedule(ctx, api.DeliveryScheduleRequest{
		Pickup: pickup, Dropoff: dropoff, Tags: []string{"bakery"},
		Items: []api.DeliveryItemInput{{Name: "Cake", Quantity: ac.Ptr[int64](1)}},
	})
	check(err)
	fmt.Printf("%s is %s, expected at %s\n", delivery.DeliveryID, delivery.Status, delivery.Dropoff.EstimatedArrival)

	found, err := client.Delivery.Get(ctx, delivery.DeliveryID)
	check(err)
	fmt.Printf("%s: %s since %s\n", strings.Join(found.Tags, ", "), found.Timeline[0].Status, found.Timeline[0].At)

	canceled, err := client.Delivery.Cancel(ctx, delivery.DeliveryID, api.DeliveryCancelRequest{Reason: ac.Ptr("The party is off.")})
	check(err)
	fmt.Printf("%s: %s\n", canceled.Status, *canceled.Reason)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
