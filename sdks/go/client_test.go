package actionconnector_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	ac "github.com/action-connector/action-connector-go"
	"github.com/action-connector/action-connector-go/actest"
	"github.com/action-connector/action-connector-go/api"
	"github.com/action-connector/action-connector-go/core"
)

// What needs no service: settings, redaction, header and event-stream reading, webhook signatures.

type vectors struct {
	RetryAfter []struct {
		Headers map[string]string
		Ms      *float64
	} `json:"retry_after"`
	Quota []struct {
		Headers       map[string]string
		None          bool
		Policy        string
		Limit         int
		Remaining     int
		WindowSeconds int `json:"window_seconds"`
		ResetIn       int `json:"reset_in"`
	}
	Events []struct {
		Pieces  []string
		Events  []struct{ ID, Event, Data string }
		RetryMs *int64 `json:"retry_ms"`
	}
	BaseURLs []struct{ Given, Base string } `json:"base_urls"`
	Now      int64
	Keys     struct {
		Good, Shown string
		Bad         []string
	}
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func shared(t *testing.T) vectors {
	var v vectors
	readJSON(t, filepath.Join("..", "cases", "vectors.json"), &v)
	return v
}

func header(from map[string]string) http.Header {
	h := http.Header{}
	for name, value := range from {
		h.Set(name, value)
	}
	return h
}

func TestRetryAfter(t *testing.T) {
	v := shared(t)
	for _, c := range v.RetryAfter {
		got := core.ReadRetryAfter(header(c.Headers), time.Unix(v.Now, 0))
		if (got == nil) != (c.Ms == nil) || got != nil && float64(*got)/1e6 != *c.Ms {
			t.Errorf("%v: %v", c.Headers, got)
		}
	}
}

func TestQuota(t *testing.T) {
	v := shared(t)
	now := time.Unix(v.Now, 0)
	for _, c := range v.Quota {
		got := core.ReadQuota(header(c.Headers), now)
		if c.None {
			if got != nil {
				t.Errorf("%v: %v", c.Headers, got)
			}
			continue
		}
		want := core.Quota{Policy: c.Policy, Limit: c.Limit, Remaining: c.Remaining, Window: time.Duration(c.WindowSeconds) * time.Second, ResetAt: now.Add(time.Duration(c.ResetIn) * time.Second)}
		if got == nil || !reflect.DeepEqual(*got, want) {
			t.Errorf("%v: %+v instead of %+v", c.Headers, got, want)
		}
	}
}

func TestEvents(t *testing.T) {
	for _, c := range shared(t).Events {
		for _, pieces := range [][]string{c.Pieces, strings.Split(strings.Join(c.Pieces, ""), "")} {
			parser := &core.SSEParser{}
			var got []core.RawEvent
			for _, piece := range pieces {
				got = append(got, parser.Push(piece)...)
			}
			if fmt.Sprint(got) != fmt.Sprint(c.Events) {
				t.Errorf("%q: %v instead of %v", pieces, got, c.Events)
			}
			if c.RetryMs != nil && (parser.Retry == nil || parser.Retry.Milliseconds() != *c.RetryMs) {
				t.Errorf("%q: retry %v", pieces, parser.Retry)
			}
		}
	}
}

func TestBaseURLs(t *testing.T) {
	v := shared(t)
	for _, c := range v.BaseURLs {
		client, err := ac.New(ac.WithAPIKey(v.Keys.Good), ac.WithBaseURL(c.Given))
		if c.Base == "" && err == nil || c.Base != "" && (err != nil || !strings.Contains(client.String(), fmt.Sprintf("%q", c.Base))) {
			t.Errorf("%s: %v %v", c.Given, client, err)
		}
	}
}

func TestSettings(t *testing.T) {
	v := shared(t)
	t.Setenv("ACTION_CONNECTOR_API_KEY", "")
	t.Setenv("ACTION_CONNECTOR_BASE_URL", "")
	if _, err := ac.New(); err == nil || !strings.Contains(err.Error(), "ACTION_CONNECTOR_API_KEY") {
		t.Error(err)
	}
	t.Setenv("ACTION_CONNECTOR_API_KEY", v.Keys.Good)
	if _, err := ac.New(); err == nil || !strings.Contains(err.Error(), "ACTION_CONNECTOR_BASE_URL") {
		t.Error(err)
	}
	t.Setenv("ACTION_CONNECTOR_BASE_URL", "https://api.example.com")
	client, err := ac.New()
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(client)
	for _, shown := range []string{fmt.Sprint(client), fmt.Sprintf("%+v", client), fmt.Sprintf("%#v", client), fmt.Sprintf("%s", *&client), fmt.Sprintf("%#v", client.Delivery), fmt.Sprintf("%+v", *client.Delivery), string(text)} {
		if strings.Contains(shown, v.Keys.Good) {
			t.Errorf("the key is shown: %s", shown)
		}
	}
	if !strings.Contains(client.String(), v.Keys.Shown) {
		t.Error(client)
	}
	for _, key := range v.Keys.Bad {
		if _, err := ac.New(ac.WithAPIKey(key)); err == nil || key != "" && strings.Contains(err.Error(), key) {
			t.Errorf("%q: %v", key, err)
		}
	}
}

func TestOptionalFields(t *testing.T) {
	cases := map[string]api.KeysUpdateRequest{
		`{}`:                       {},
		`{"name":"n"}`:             {Name: ac.Ptr("n")},
		`{"expires_at":null}`:      {ExpiresAt: ac.Clear[ac.Timestamp]()},
		`{"expires_at":"2027-01"}`: {ExpiresAt: ac.Set(ac.Timestamp("2027-01"))},
	}
	for want, params := range cases {
		if got, _ := json.Marshal(params); string(got) != want {
			t.Errorf("%s instead of %s", got, want)
		}
	}
}

func sign(secret, id string, timestamp int64, body string) string {
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%d.%s", id, timestamp, body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func TestWebhooks(t *testing.T) {
	now := shared(t).Now
	secret := "whsec_" + base64.StdEncoding.EncodeToString([]byte("a secret of twenty-four!"))
	other := "whsec_" + base64.StdEncoding.EncodeToString([]byte("another one, just as long"))
	body := `{"id":"evt_1","type":"delivery.scheduled","created_at":"2026-11-01T12:00:00Z","data":{"note":"zwölf €"}}`
	h := header(map[string]string{"webhook-id": "evt_1", "webhook-timestamp": strconv.FormatInt(now, 10), "webhook-signature": sign(secret, "evt_1", now, body)})
	at := func(seconds int64) ac.WebhookOption { return ac.WithNow(time.Unix(now+seconds, 0)) }
	event, err := ac.UnwrapWebhook([]byte(body), h, []string{other, secret}, at(0))
	if err != nil || event.Type != api.EventDeliveryScheduled || !strings.Contains(string(event.Data), "zwölf") {
		t.Error(event, err)
	}
	refused := func(body string, secret string, opts ...ac.WebhookOption) {
		t.Helper()
		var wrong *ac.WebhookVerificationError
		if err := ac.VerifyWebhook([]byte(body), h, []string{secret}, opts...); !errors.As(err, &wrong) {
			t.Error(err)
		}
	}
	refused(body+" ", secret, at(0))
	refused(body, other, at(0))
	refused(body, secret, at(301))
	refused(body, secret, at(-301))
	if err := ac.VerifyWebhook([]byte(body), h, []string{secret}, at(600), ac.WithTolerance(10*time.Minute)); err != nil {
		t.Error(err)
	}
}

// Signatures and event streams, the same cases in every language.
func TestSharedCases(t *testing.T) {
	folder := filepath.Join("..", "cases")
	now := shared(t).Now
	var v struct {
		Sign []struct {
			Name, Secret, Public, ID, Payload, Expected string
			Timestamp                                   int64
		}
		Verify []struct {
			Name, Secret, ID, Payload string
			Accept                    bool
			Offset                    int64              `json:"timestamp_offset_s"`
			Overrides                 map[string]*string `json:"header_overrides"`
		}
		BadSecrets []struct{ Secret string } `json:"bad_secrets"`
	}
	readJSON(t, filepath.Join(folder, "signatures.json"), &v)
	for _, c := range v.Sign {
		secret := c.Secret
		if c.Public != "" {
			secret = c.Public
		}
		h := header(map[string]string{"webhook-id": c.ID, "webhook-timestamp": strconv.FormatInt(c.Timestamp, 10), "webhook-signature": c.Expected})
		at := ac.WithNow(time.Unix(c.Timestamp, 0))
		if err := ac.VerifyWebhook([]byte(c.Payload), h, []string{secret}, at); err != nil {
			t.Error(c.Name, err)
		}
		if err := ac.VerifyWebhook([]byte(c.Payload+" "), h, []string{secret}, at); err == nil {
			t.Error(c.Name, "a changed body was accepted")
		}
	}
	cut := regexp.MustCompile(`\{sig(?::(\d+):(\d+))?\}`)
	for _, c := range v.Verify {
		right := sign(c.Secret, c.ID, now+c.Offset, c.Payload)
		h := header(map[string]string{"webhook-id": c.ID, "webhook-timestamp": strconv.FormatInt(now+c.Offset, 10), "webhook-signature": right})
		for name, value := range c.Overrides {
			h.Del(name)
			if value != nil {
				h.Set(name, cut.ReplaceAllStringFunc(*value, func(found string) string {
					if parts := cut.FindStringSubmatch(found); parts[1] != "" {
						from, _ := strconv.Atoi(parts[1])
						to, _ := strconv.Atoi(parts[2])
						return right[from:to]
					}
					return right
				}))
			}
		}
		err := ac.VerifyWebhook([]byte(c.Payload), h, []string{c.Secret}, ac.WithNow(time.Unix(now, 0)))
		if (err == nil) != c.Accept {
			t.Error(c.Name, err)
		}
	}
	for _, c := range v.BadSecrets {
		if err := ac.VerifyWebhook(nil, http.Header{}, []string{c.Secret}); err == nil {
			t.Errorf("%q was accepted", c.Secret)
		}
	}
	var streams []struct {
		Name, Stream string
		Events       []struct {
			Data, Event string
			LastEventID *string `json:"lastEventId"`
		}
	}
	readJSON(t, filepath.Join(folder, "streams.json"), &streams)
	for _, c := range streams {
		for _, pieces := range [][]string{{c.Stream}, bytesOf(c.Stream)} {
			parser := &core.SSEParser{}
			var got []core.RawEvent
			for _, piece := range pieces {
				got = append(got, parser.Push(piece)...)
			}
			if len(got) != len(c.Events) {
				t.Errorf("%s: %v", c.Name, got)
				continue
			}
			for i, want := range c.Events {
				if got[i].Data != want.Data || got[i].Event != want.Event || want.LastEventID != nil && got[i].ID != *want.LastEventID {
					t.Errorf("%s: %v instead of %v", c.Name, got[i], want)
				}
			}
		}
	}
}

func bytesOf(text string) []string {
	var pieces []string
	for i := range []byte(text) {
		pieces = append(pieces, text[i:i+1])
	}
	return pieces
}

func TestTimesAreAcceptedAndParsed(t *testing.T) {
	moment := time.Date(2026, 12, 1, 16, 0, 0, 0, time.FixedZone("CET", 3600))
	fake := actest.New(map[string]any{
		"POST /delivery/schedule": func(request actest.Request) any {
			return map[string]any{"delivery_id": "dlv_1", "created_at": "2026-11-15T10:00:00Z", "pickup": map[string]any{"scheduled_time": "2026-12-01T15:00:00Z"}}
		},
	})
	client := fakeClient(t, fake)
	delivery, err := client.Delivery.Schedule(context.Background(), api.DeliveryScheduleRequest{
		Pickup:  api.DeliveryPickupInput{Address: "350 5th Ave, New York", Time: ac.At(moment)},
		Dropoff: api.DeliveryDropoffInput{Address: "Downtown Brooklyn"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if body := string(fake.Requests()[0].Body); !strings.Contains(body, `"time":"2026-12-01T15:00:00Z"`) {
		t.Errorf("sent %s", body)
	}
	if parsed, err := delivery.Pickup.ScheduledTime.Time(); err != nil || !parsed.Equal(moment) {
		t.Errorf("read %v, %v", parsed, err)
	}
}

func TestAFakeRefuses(t *testing.T) {
	fake := actest.New(map[string]any{"GET /delivery/{id}": actest.Refusal{Status: 404, Code: "not_found", Detail: "No such delivery."}})
	_, err := fakeClient(t, fake).Delivery.Get(context.Background(), "dlv_1")
	var refused *ac.Error
	if !errors.As(err, &refused) || refused.Code != api.CodeNotFound || !errors.Is(err, ac.ErrNotFound) {
		t.Errorf("refused with %v", err)
	}
}

func TestACallThatCanOnlyFailIsNotSent(t *testing.T) {
	fake := actest.New(nil)
	client := fakeClient(t, fake)
	for _, params := range []api.StockQuoteRequest{{}, {Symbol: ac.Ptr("AAPL"), Symbols: []string{"VOD.L"}}} {
		if _, err := client.Stock.Quote(context.Background(), params); err == nil || !strings.Contains(err.Error(), "exactly one of symbol, symbols") {
			t.Errorf("%+v gave %v", params, err)
		}
	}
	if len(fake.Requests()) > 0 {
		t.Error("a request was sent")
	}
}

func TestEachAttemptIsOneLineOfTheLog(t *testing.T) {
	var lines []string
	fake := actest.New(map[string]any{"GET /user/profile": map[string]any{}})
	client := fakeClient(t, fake, ac.WithLog(func(line string) { lines = append(lines, line) }))
	if _, err := client.User.Profile(context.Background()); err != nil {
		t.Fatal(err)
	}
	if len(lines) != 1 || !strings.Contains(lines[0], "GET /user/profile 200") || strings.Contains(lines[0], "acn_test_") {
		t.Errorf("logged %q", lines)
	}
}

func TestASignedWebhookIsVerified(t *testing.T) {
	body, now := []byte(`{"type":"webhook.test"}`), time.Now()
	header, err := ac.SignWebhook(body, "evt_1", now, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		t.Fatal(err)
	}
	if err := ac.VerifyWebhook(body, header, []string{"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}); err != nil {
		t.Error(err)
	}
}

func fakeClient(t *testing.T, fake *actest.Fake, more ...ac.ClientOption) *ac.Client {
	t.Helper()
	options := []ac.ClientOption{ac.WithBaseURL("https://fake.example"), ac.WithAPIKey("acn_test_fake"), ac.WithHTTPClient(fake.Client()), ac.WithClientMaxRetries(0)}
	client, err := ac.New(append(options, more...)...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}
