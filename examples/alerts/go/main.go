// Watch for a tag, push some content, see what matched.
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

	alert, err := client.Alerts.Create(ctx, api.AlertsCreateRequest{Query: ac.Ptr(`#launch AND "acme rocket" -hiring`), Name: ac.Ptr("Rocket launches")})
	check(err)
	fmt.Printf("%s is %s, watching %s\n", alert.Name, alert.Status, alert.Query.Canonical)

	preview, err := client.Alerts.Preview(ctx, api.AlertsPreviewRequest{Tag: ac.Ptr("#launch"), Content: []api.AlertsContentRequest{{Text: ac.Ptr("Two days to the #launch!")}}})
	check(err)
	fmt.Printf("a preview matches %d\n", preview.Preview.Matched)

	_, err = client.Alerts.Content(ctx, api.AlertsContentRequest{Title: ac.Ptr("The Acme rocket is ready"), Text: ac.Ptr("Join the #launch on Friday."), URL: ac.Ptr("https://example.com/1")})
	check(err)
	_, err = client.Alerts.Content(ctx, api.AlertsContentRequest{Title: ac.Ptr("Acme rocket is hiring"), Text: ac.Ptr("#launch your career"), URL: ac.Ptr("https://example.com/2")})
	check(err)

	matches := client.Alerts.Matches(ctx, alert.ID, api.AlertsMatchesQuery{})
	for matches.Next() {
		match := matches.Current()
		fmt.Printf("matched %s by %s\n", *match.Item.Title, strings.Join(match.MatchedTerms, ", "))
	}
	check(matches.Err())

	gone, err := client.Alerts.Delete(ctx, alert.ID)
	check(err)
	fmt.Printf("deleted: %t\n", gone.Deleted)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
