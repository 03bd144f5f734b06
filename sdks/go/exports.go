package actionconnector

import (
	"net/http"
	"time"

	"github.com/action-connector/action-connector-go/core"
)

// Error is what the service refused with; see core.Error.
type Error = core.Error

// ConnectionError says that the service could not be reached, or that its answer was cut short.
type ConnectionError = core.ConnectionError

// Fault is one fault of one field of a request.
type Fault = core.Fault

// ErrorCode is the stable name of an error; package api lists them all.
type ErrorCode = core.ErrorCode

// Timestamp is a time as the service writes it; see core.Timestamp.
type Timestamp = core.Timestamp

// At writes a time as the service reads it.
func At(moment time.Time) Timestamp { return core.At(moment) }

// Quota is what was left of the quota as the last answer said it.
type Quota = core.Quota

// Option changes one call.
type Option = core.Option

// The kinds of refusal, for errors.Is.
var (
	ErrBadRequest       = core.ErrBadRequest
	ErrAuthentication   = core.ErrAuthentication
	ErrPermissionDenied = core.ErrPermissionDenied
	ErrNotFound         = core.ErrNotFound
	ErrConflict         = core.ErrConflict
	ErrUnprocessable    = core.ErrUnprocessable
	ErrRateLimit        = core.ErrRateLimit
	ErrServer           = core.ErrServer
)

// WithIdempotencyKey sets the key of a write; it is made anew for every write unless given.
func WithIdempotencyKey(key string) Option { return core.WithIdempotencyKey(key) }

// WithTimeout limits one attempt of a call.
func WithTimeout(limit time.Duration) Option { return core.WithTimeout(limit) }

// WithTotalTimeout limits a whole call, waits included.
func WithTotalTimeout(limit time.Duration) Option { return core.WithTotalTimeout(limit) }

// WithMaxRetries sets how often a failed attempt is repeated.
func WithMaxRetries(most int) Option { return core.WithMaxRetries(most) }

// WithHeader sends a header of your own.
func WithHeader(name, value string) Option { return core.WithHeader(name, value) }

// WithContentType names the media type of a body that is not JSON.
func WithContentType(mediaType string) Option { return core.WithContentType(mediaType) }

// WithLastEventID makes a stream go on behind this event.
func WithLastEventID(id string) Option { return core.WithLastEventID(id) }

// WithResponseInto keeps the response, for its status and headers; its body has been read.
func WithResponseInto(into **http.Response) Option { return core.WithResponseInto(into) }

// Ptr points to a value, for optional fields.
func Ptr[T any](value T) *T { return &value }

// Set sends a value in a field that may also be null.
func Set[T any](value T) *core.Nullable[T] { return &core.Nullable[T]{Value: &value} }

// Clear sends null.
func Clear[T any]() *core.Nullable[T] { return &core.Nullable[T]{} }
