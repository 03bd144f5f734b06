// Package core is the way of every request: attempts, timeouts, retries, pacing, pages and streams. It knows no route.
package core

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"sync/atomic"
	"time"
)

// Runtime is time, chance and warnings; tests replace it.
type Runtime struct {
	Now    func() time.Time
	Sleep  func(ctx context.Context, wait time.Duration) error
	Random func() float64
	Warn   func(message string)
}

// Settings are those of a client.
type Settings struct {
	BaseURL string
	// APIKey is a function so that printing the settings cannot show the key.
	APIKey               func() string
	Timeout              time.Duration
	TotalTimeout         time.Duration
	MaxRetries           int
	Pacing               bool
	Header               http.Header
	HTTPClient           *http.Client
	UserAgent            string
	StreamIdleTimeout    time.Duration
	StreamMaxReconnects  int
	StreamReconnectDelay *time.Duration
	// LogAll and LogFailures take a line for each attempt, and for each that failed; nil writes none.
	LogAll      Log
	LogFailures Log
	Runtime     Runtime
}

// Transport sends requests for the generated methods.
type Transport struct {
	settings Settings
	quota    quotaTracker
}

// NewTransport makes a transport.
func NewTransport(settings Settings) *Transport { return &Transport{settings: settings} }

// Quota is what was left after the last answer; nil before the first.
func (t *Transport) Quota() *Quota { return t.quota.read() }

// Request is one request before it is sent.
type Request struct {
	ID     string
	Method string
	// Path has its parameters in braces; Params holds their values in order.
	Path   string
	Params []string
	Query  any
	// Body is sent as JSON, or as it is when it is a string or bytes.
	Body        any
	ContentType string
	cursor      *string
}

// Do sends a request and reads the data of its answer.
func Do[T any](ctx context.Context, t *Transport, request Request, opts []Option) (*T, error) {
	var envelope struct {
		Data *T `json:"data"`
	}
	read := func(body []byte) error {
		envelope.Data = nil
		if err := json.Unmarshal(body, &envelope); err != nil || envelope.Data == nil {
			// A success that is no envelope was not sent by the service: something on the way cut or replaced it.
			return &ConnectionError{Message: "the answer is not whole", Cause: err}
		}
		return nil
	}
	if _, err := t.send(ctx, request, opts, "application/json", read); err != nil {
		return nil, err
	}
	return envelope.Data, nil
}

// Raw is an answer that is not JSON.
type Raw struct {
	ContentType string
	Header      http.Header
	Body        []byte
}

// DoRaw sends a request whose answer is not JSON.
func DoRaw(ctx context.Context, t *Transport, request Request, opts []Option) (*Raw, error) {
	raw := &Raw{}
	response, err := t.send(ctx, request, opts, "*/*", func(body []byte) error {
		raw.Body = body
		return nil
	})
	if err != nil {
		return nil, err
	}
	raw.Header, raw.ContentType = response.Header, response.Header.Get("Content-Type")
	return raw, nil
}

// open is for streams: the body stays open.
func (t *Transport) open(ctx context.Context, request Request, opts []Option) (*http.Response, error) {
	return t.send(ctx, request, opts, "text/event-stream", nil)
}

// send tries until it is answered, refused for good, or out of retries or time.
func (t *Transport) send(ctx context.Context, request Request, opts []Option, accept string, read func([]byte) error) (*http.Response, error) {
	settings := t.callSettings(opts)
	runtime := t.settings.Runtime
	deadline := runtime.Now().Add(settings.totalTimeout)
	most := t.settings.MaxRetries
	if settings.maxRetries != nil {
		most = *settings.maxRetries
	}
	outgoing, err := t.prepare(request, settings, accept)
	if err != nil {
		return nil, err
	}
	for retry := 0; ; retry++ {
		if retry > 0 {
			outgoing.header.Set("X-Retry-Count", strconv.Itoa(retry))
		}
		if err := t.pace(ctx, deadline); err != nil {
			return nil, err
		}
		response, err := t.attempt(ctx, request, outgoing, settings, deadline, read)
		if err == nil {
			return response, nil
		}
		if retry >= most || !isRetryable(err) {
			return nil, err
		}
		wait, allowed := retryWait(err, retry, runtime.Random)
		if !allowed || !runtime.Now().Add(wait).Before(deadline) {
			return nil, err
		}
		if slept := runtime.Sleep(ctx, wait); slept != nil {
			return nil, fmt.Errorf("the call was canceled: %w", slept)
		}
	}
}

// pace counts the request, after waiting for the quota when pacing is on.
func (t *Transport) pace(ctx context.Context, deadline time.Time) error {
	runtime := t.settings.Runtime
	for {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("the call was canceled: %w", err)
		}
		wait := t.quota.reserve(runtime.Now(), t.settings.Pacing)
		if wait == 0 {
			return nil
		}
		if !runtime.Now().Add(wait).Before(deadline) {
			return &ConnectionError{Message: fmt.Sprintf("the quota frees in %s, later than this call may take", wait), timeout: true}
		}
		if err := runtime.Sleep(ctx, wait); err != nil {
			return fmt.Errorf("the call was canceled: %w", err)
		}
	}
}

type outgoing struct {
	url    string
	header http.Header
	body   []byte
}

func (t *Transport) prepare(request Request, settings callSettings, accept string) (*outgoing, error) {
	if err := checked(request.Body, request.Query); err != nil {
		return nil, err
	}
	path, err := expand(request.Path, request.Params)
	if err != nil {
		return nil, err
	}
	query, err := encodeQuery(request.Query, request.cursor)
	if err != nil {
		return nil, err
	}
	out := &outgoing{url: t.settings.BaseURL + path + query, header: t.settings.Header.Clone()}
	if out.header == nil {
		out.header = http.Header{}
	}
	out.header.Set("Accept", accept)
	out.header.Set("Authorization", "Bearer "+t.settings.APIKey())
	out.header.Set("User-Agent", t.settings.UserAgent)
	contentType := request.ContentType
	if settings.contentType != "" {
		contentType = settings.contentType
	}
	switch body := request.Body.(type) {
	case nil:
		contentType = ""
	case []byte:
		out.body = body
	case string:
		out.body = []byte(body)
	default:
		contentType = "application/json"
		if out.body, err = json.Marshal(body); err != nil {
			return nil, fmt.Errorf("the body cannot be written as JSON: %w", err)
		}
	}
	if contentType != "" {
		out.header.Set("Content-Type", contentType)
	}
	if request.Method != http.MethodGet {
		key := settings.idempotencyKey
		if key == "" {
			key = newUUID()
		}
		out.header.Set("Idempotency-Key", key)
	}
	if settings.lastEventID != "" && accept == "text/event-stream" {
		out.header.Set("Last-Event-ID", settings.lastEventID)
	}
	for name, values := range settings.header {
		out.header[name] = values
	}
	return out, nil
}

func (t *Transport) attempt(ctx context.Context, request Request, out *outgoing, settings callSettings, deadline time.Time, read func([]byte) error) (*http.Response, error) {
	runtime := t.settings.Runtime
	limit := settings.timeout
	if left := deadline.Sub(runtime.Now()); left < limit {
		limit = left
	}
	inner, cancel := context.WithCancel(ctx)
	var late atomic.Bool
	timer := time.AfterFunc(limit, func() {
		late.Store(true)
		cancel()
	})
	var header http.Header
	started := runtime.Now()
	response, err := t.exchange(inner, request, out, &header, read)
	timer.Stop()
	status := 0
	if response != nil {
		status = response.StatusCode
	}
	t.logAttempt(request, status, header.Get("X-Request-Id"), err, started)
	t.quota.answered(header, runtime.Now())
	if settings.responseInto != nil && response != nil {
		*settings.responseInto = response
	}
	if err == nil && read == nil && response.Body != nil {
		response.Body = &cancelOnClose{response.Body, cancel}
		return response, nil
	}
	cancel()
	if err == nil {
		return response, nil
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("the call was canceled: %w", ctx.Err())
	}
	if late.Load() {
		return nil, &ConnectionError{Message: fmt.Sprintf("no whole answer within %s", limit), Cause: context.DeadlineExceeded, timeout: true}
	}
	var refused *Error
	var lost *ConnectionError
	if errors.As(err, &refused) || errors.As(err, &lost) {
		return nil, err
	}
	return nil, &ConnectionError{Message: fmt.Sprintf("%s %s could not be completed: %v", request.Method, request.Path, err), Cause: err}
}

func (t *Transport) exchange(ctx context.Context, request Request, out *outgoing, header *http.Header, read func([]byte) error) (*http.Response, error) {
	var body io.Reader
	if out.body != nil {
		body = bytes.NewReader(out.body)
	}
	sent, err := http.NewRequestWithContext(ctx, request.Method, out.url, body)
	if err != nil {
		return nil, err
	}
	sent.Header = out.header.Clone()
	response, err := t.settings.HTTPClient.Do(sent)
	if err != nil {
		return nil, err
	}
	*header = response.Header
	t.tellDeprecation(request, response.Header)
	refused := response.StatusCode < 200 || response.StatusCode > 299
	if read == nil && !refused {
		return response, nil
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return response, err
	}
	if refused {
		return response, newError(response.StatusCode, response.Header, text, t.settings.Runtime.Now())
	}
	return response, read(text)
}

type cancelOnClose struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (c *cancelOnClose) Close() error {
	c.cancel()
	return c.ReadCloser.Close()
}

var (
	deprecationTold atomic.Bool
	deprecationLink = regexp.MustCompile(`<([^>]+)>[^,]*rel="?(?:deprecation|sunset)"?`)
)

func (t *Transport) tellDeprecation(request Request, header http.Header) {
	if header.Get("Deprecation") == "" || !deprecationTold.CompareAndSwap(false, true) {
		return
	}
	message := "Action Connector: " + request.ID + " is deprecated"
	if sunset := header.Get("Sunset"); sunset != "" {
		message += " and ends on " + sunset
	}
	message += "."
	if link := deprecationLink.FindStringSubmatch(header.Get("Link")); link != nil {
		message += " See " + link[1]
	}
	t.settings.Runtime.Warn(message)
}

func newUUID() string {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		panic("no randomness: " + err.Error())
	}
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:16])
}
