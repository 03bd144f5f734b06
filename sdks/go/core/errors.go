package core

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Fault is one fault of one field of a request.
type Fault struct {
	Pointer string `json:"pointer"`
	Code    string `json:"code"`
	Detail  string `json:"detail"`
	Hint    string `json:"hint"`
}

// Error is what the service refused with. Find it with errors.As; test its kind with errors.Is and one of the Err
// values.
type Error struct {
	Status int
	// Code is stable and made for programs, e.g. "pickup_time_in_past"; empty when the answer was not the service's own.
	Code   ErrorCode
	Title  string
	Detail string
	// Hint says what to do about it.
	Hint      string
	RequestID string
	// Retryable is what the service says about trying again; nil when it says nothing.
	Retryable *bool
	// RetryAfter is how long the service asks to wait; nil when it does not say.
	RetryAfter *time.Duration
	Faults     []Fault
	Header     http.Header
	// Body is the whole error object, with members that only some codes have.
	Body json.RawMessage
}

// The kinds of refusal, for errors.Is.
var (
	ErrBadRequest       = errors.New("bad request")
	ErrAuthentication   = errors.New("authentication failed")
	ErrPermissionDenied = errors.New("permission denied")
	ErrNotFound         = errors.New("not found")
	ErrConflict         = errors.New("conflict")
	ErrUnprocessable    = errors.New("unprocessable")
	ErrRateLimit        = errors.New("rate limit")
	ErrServer           = errors.New("server error")
)

var kinds = map[int]error{
	400: ErrBadRequest, 401: ErrAuthentication, 403: ErrPermissionDenied, 404: ErrNotFound, 409: ErrConflict,
	422: ErrUnprocessable, 429: ErrRateLimit,
}

func (e *Error) Error() string {
	text := fmt.Sprintf("%d", e.Status)
	if e.Code != "" {
		text += " " + string(e.Code)
	}
	text += ": " + e.Detail
	if e.Hint != "" {
		if !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "!") && !strings.HasSuffix(text, "?") {
			text += "."
		}
		text += " " + e.Hint
	}
	return text
}

// Is reports whether target is the kind of this error.
func (e *Error) Is(target error) bool {
	if e.Status >= 500 {
		return target == ErrServer
	}
	kind := kinds[e.Status]
	return kind != nil && target == kind
}

// ConnectionError says that the service could not be reached, or that its answer was cut short.
type ConnectionError struct {
	Message string
	Cause   error
	timeout bool
}

func (e *ConnectionError) Error() string { return e.Message }

func (e *ConnectionError) Unwrap() error { return e.Cause }

// Timeout reports whether an attempt, or all of them together, took too long.
func (e *ConnectionError) Timeout() bool { return e.timeout }

func newError(status int, header http.Header, text []byte, now time.Time) *Error {
	e := &Error{Status: status, Header: header, RequestID: header.Get("X-Request-Id"), RetryAfter: ReadRetryAfter(header, now)}
	var envelope struct {
		Error json.RawMessage `json:"error"`
	}
	body := text
	if json.Unmarshal(text, &envelope) == nil && len(envelope.Error) > 0 {
		body = envelope.Error
	}
	var said struct {
		Code      ErrorCode `json:"code"`
		Title     string    `json:"title"`
		Detail    string    `json:"detail"`
		Hint      string    `json:"hint"`
		RequestID string    `json:"request_id"`
		Retryable *bool     `json:"retryable"`
		Errors    []Fault   `json:"errors"`
	}
	if json.Unmarshal(body, &said) == nil {
		e.Code, e.Title, e.Detail, e.Hint = said.Code, said.Title, said.Detail, said.Hint
		e.Retryable, e.Faults, e.Body = said.Retryable, said.Errors, body
		if said.RequestID != "" {
			e.RequestID = said.RequestID
		}
	}
	if e.Detail == "" {
		e.Detail = fmt.Sprintf("The service answered with status %d.", status)
	}
	return e
}
