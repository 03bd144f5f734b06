// Package actionconnector is the Go client of Action Connector: deliveries, price tracking, stock quotes, tag alerts
// and AI-text signals with one key.
//
//	client, err := actionconnector.New()
//	delivery, err := client.Delivery.Schedule(ctx, api.DeliveryScheduleParams{
//		Pickup:  api.DeliveryPickupInput{Address: "350 5th Ave, New York", Time: "2026-12-01T15:00:00Z"},
//		Dropoff: api.DeliveryDropoffInput{Address: "Downtown Brooklyn"},
//	})
package actionconnector

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math/rand"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/action-connector/action-connector-go/api"
	"github.com/action-connector/action-connector-go/core"
)

// Version is the version of this module.
const Version = "1.0.0"

// Client reaches the service. It is safe for use by many goroutines.
type Client struct {
	*api.Namespaces
	transport *core.Transport
	baseURL   string
	shown     string
}

// ClientOption changes a client.
type ClientOption func(*core.Settings)

// WithAPIKey sets the key; ACTION_CONNECTOR_API_KEY unless given.
func WithAPIKey(key string) ClientOption {
	return func(s *core.Settings) { s.APIKey = func() string { return key } }
}

// WithBaseURL sets the address of the service, with or without the trailing /api/v1; ACTION_CONNECTOR_BASE_URL unless
// given.
func WithBaseURL(address string) ClientOption { return func(s *core.Settings) { s.BaseURL = address } }

// WithClientTimeout limits one attempt of every call; 60 s unless given.
func WithClientTimeout(limit time.Duration) ClientOption {
	return func(s *core.Settings) { s.Timeout = limit }
}

// WithClientTotalTimeout limits every whole call, retries and waits included; 5 min unless given.
func WithClientTotalTimeout(limit time.Duration) ClientOption {
	return func(s *core.Settings) { s.TotalTimeout = limit }
}

// WithClientMaxRetries sets how often a failed attempt is repeated; 2 unless given.
func WithClientMaxRetries(most int) ClientOption {
	return func(s *core.Settings) { s.MaxRetries = most }
}

// WithPacing waits for the quota instead of being refused.
func WithPacing() ClientOption { return func(s *core.Settings) { s.Pacing = true } }

// WithClientHeader sends a header with every request.
func WithClientHeader(name, value string) ClientOption {
	return func(s *core.Settings) { s.Header.Set(name, value) }
}

// WithHTTPClient uses an HTTP client of your own. It should not follow redirects.
func WithHTTPClient(client *http.Client) ClientOption {
	return func(s *core.Settings) { s.HTTPClient = client }
}

// WithStream sets how streams hold on: silence after which they reconnect (45 s unless given), failed connections in a
// row after which they give up (8), and the wait before reconnecting (what the service asks for, when nil).
func WithStream(idle time.Duration, maxReconnects int, reconnectDelay *time.Duration) ClientOption {
	return func(s *core.Settings) {
		s.StreamIdleTimeout, s.StreamMaxReconnects, s.StreamReconnectDelay = idle, maxReconnects, reconnectDelay
	}
}

// WithLog writes one line for each attempt; ACTION_CONNECTOR_LOG=info does the same to standard error.
func WithLog(write func(line string)) ClientOption {
	return func(s *core.Settings) { s.LogAll, s.LogFailures = write, write }
}

// WithRuntime replaces time, chance and warnings, for tests.
func WithRuntime(change func(*core.Runtime)) ClientOption {
	return func(s *core.Settings) { change(&s.Runtime) }
}

// New makes a client from options and the environment.
func New(opts ...ClientOption) (*Client, error) {
	settings := core.Settings{
		BaseURL: os.Getenv("ACTION_CONNECTOR_BASE_URL"), Timeout: 60 * time.Second, TotalTimeout: 5 * time.Minute, MaxRetries: 2,
		Header: http.Header{}, HTTPClient: defaultHTTPClient(), UserAgent: userAgent(), StreamIdleTimeout: 45 * time.Second,
		StreamMaxReconnects: 8, Runtime: core.Runtime{Now: time.Now, Sleep: sleep, Random: rand.Float64, Warn: func(m string) { log.Print(m) }},
	}
	settings.LogAll, settings.LogFailures = core.LogFromEnvironment()
	WithAPIKey(os.Getenv("ACTION_CONNECTOR_API_KEY"))(&settings)
	for _, apply := range opts {
		apply(&settings)
	}
	if err := complete(&settings); err != nil {
		return nil, err
	}
	transport := core.NewTransport(settings)
	shown := fmt.Sprintf("actionconnector.Client{BaseURL: %q, APIKey: %q}", settings.BaseURL, redact(settings.APIKey()))
	return &Client{Namespaces: api.NewNamespaces(transport), transport: transport, baseURL: settings.BaseURL, shown: shown}, nil
}

var (
	visible = regexp.MustCompile(`^[\x21-\x7e]+$`)
	address = regexp.MustCompile(`^https?://[^/?#]+[^?#]*$`)
	version = regexp.MustCompile(`/v\d+$`)
)

func complete(settings *core.Settings) error {
	key := settings.APIKey()
	if key == "" {
		return errors.New("no API key: use WithAPIKey, or set ACTION_CONNECTOR_API_KEY")
	}
	if !visible.MatchString(key) {
		return errors.New("the API key holds characters that no key has; was it copied with a line break?")
	}
	if settings.BaseURL == "" {
		return errors.New("no address of the service: use WithBaseURL, or set ACTION_CONNECTOR_BASE_URL")
	}
	base := strings.TrimRight(settings.BaseURL, "/")
	if !address.MatchString(base) {
		return fmt.Errorf("the base address must begin with http:// or https:// and have no query: %q", settings.BaseURL)
	}
	if !version.MatchString(base) {
		base += "/api/v1"
	}
	settings.BaseURL = base
	return nil
}

// BaseURL is the address that calls go to, with its version.
func (c *Client) BaseURL() string { return c.baseURL }

// Quota is what was left of the quota after the last answer; nil before the first.
func (c *Client) Quota() *core.Quota { return c.transport.Quota() }

// Request makes any call of the service, also one this version has no method for; the answer is given as it came. The
// query is a struct with JSON names or a map; the body is sent as JSON, or as it is when it is a string or bytes.
func (c *Client) Request(ctx context.Context, method, path string, query, body any, opts ...Option) (*core.Raw, error) {
	return core.DoRaw(ctx, c.transport, core.Request{ID: method + " " + path, Method: method, Path: path, Query: query, Body: body}, opts)
}

// String shows the client without its key.
func (c *Client) String() string { return c.shown }

// GoString shows the client without its key.
func (c *Client) GoString() string { return c.shown }

// Format shows the client without its key, whatever the verb.
func (c *Client) Format(state fmt.State, _ rune) { fmt.Fprint(state, c.shown) }

func redact(key string) string {
	if len(key) <= 20 {
		return "…"
	}
	return key[:9] + "…" + key[len(key)-4:]
}

func userAgent() string {
	return "action-connector-go/" + Version + " go/" + strings.TrimPrefix(runtime.Version(), "go")
}

func defaultHTTPClient() *http.Client {
	return &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
