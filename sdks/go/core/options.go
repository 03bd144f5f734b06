package core

import (
	"encoding/json"
	"net/http"
	"time"
)

// Option changes one call.
type Option func(*callSettings)

type callSettings struct {
	idempotencyKey string
	timeout        time.Duration
	totalTimeout   time.Duration
	maxRetries     *int
	header         http.Header
	contentType    string
	lastEventID    string
	responseInto   **http.Response
}

// WithIdempotencyKey sets the key of a write; it is made anew for every write unless given, and stays the same across
// retries.
func WithIdempotencyKey(key string) Option { return func(s *callSettings) { s.idempotencyKey = key } }

// WithTimeout limits one attempt.
func WithTimeout(limit time.Duration) Option { return func(s *callSettings) { s.timeout = limit } }

// WithTotalTimeout limits the whole call, waits included.
func WithTotalTimeout(limit time.Duration) Option {
	return func(s *callSettings) { s.totalTimeout = limit }
}

// WithMaxRetries sets how often a failed attempt is repeated.
func WithMaxRetries(most int) Option { return func(s *callSettings) { s.maxRetries = &most } }

// WithHeader sends a header of your own.
func WithHeader(name, value string) Option {
	return func(s *callSettings) { s.header.Set(name, value) }
}

// WithContentType names the media type of a body that is not JSON.
func WithContentType(mediaType string) Option {
	return func(s *callSettings) { s.contentType = mediaType }
}

// WithLastEventID makes a stream go on behind this event.
func WithLastEventID(id string) Option { return func(s *callSettings) { s.lastEventID = id } }

// WithResponseInto keeps the response of the last attempt, for its status and headers; its body has been read.
func WithResponseInto(into **http.Response) Option {
	return func(s *callSettings) { s.responseInto = into }
}

func (t *Transport) callSettings(opts []Option) callSettings {
	settings := callSettings{timeout: t.settings.Timeout, totalTimeout: t.settings.TotalTimeout, header: http.Header{}}
	for _, apply := range opts {
		apply(&settings)
	}
	return settings
}

// Nullable is a value that may be sent as null. A nil *Nullable is not sent at all.
type Nullable[T any] struct {
	// Value is null when nil.
	Value *T
}

// MarshalJSON writes the value or null.
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n.Value) }

// UnmarshalJSON reads the value or null.
func (n *Nullable[T]) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &n.Value) }
