package core

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// StreamEvent is one event of a stream.
type StreamEvent[T any] struct {
	// ID goes into WithLastEventID to go on behind this event; empty when the service gave none.
	ID string
	// Event is its name, e.g. "delivery.scheduled"; "reset" says that the place asked for is no longer kept.
	Event string
	Data  T
	// Raw is the data as it came.
	Raw json.RawMessage
}

// Stream is a stream of events that outlives its connections: it reconnects and goes on behind the last event it gave.
//
//	stream := client.Events.Stream(ctx, api.EventsStreamQuery{})
//	defer stream.Close()
//	for stream.Next() {
//		use(stream.Current())
//	}
type Stream[T any] struct {
	ctx         context.Context
	cancel      context.CancelFunc
	t           *Transport
	request     Request
	opts        []Option
	most        int
	lastEventID string
	retry       *time.Duration
	body        io.ReadCloser
	parser      *SSEParser
	queue       []RawEvent
	failures    int
	connected   bool
	current     StreamEvent[T]
	err         error
	closed      sync.Once
}

// Listen makes a stream; the generated methods use it.
func Listen[T any](ctx context.Context, t *Transport, request Request, opts []Option) *Stream[T] {
	settings := t.callSettings(opts)
	inner, cancel := context.WithCancel(ctx)
	most := t.settings.StreamMaxReconnects
	if settings.maxRetries != nil {
		most = *settings.maxRetries
	}
	return &Stream[T]{ctx: inner, cancel: cancel, t: t, request: request, opts: opts, most: most, lastEventID: settings.lastEventID}
}

// LastEventID is the id of the last event given; keep it to go on after a restart.
func (s *Stream[T]) LastEventID() string { return s.lastEventID }

// Current is the event that Next moved to.
func (s *Stream[T]) Current() StreamEvent[T] { return s.current }

// Err is what ended the stream; nil when Close did.
func (s *Stream[T]) Err() error { return s.err }

// Close ends the stream; Next then answers false.
func (s *Stream[T]) Close() { s.closed.Do(s.cancel) }

// All can be ranged over from Go 1.23 on.
func (s *Stream[T]) All() func(yield func(StreamEvent[T], error) bool) {
	return func(yield func(StreamEvent[T], error) bool) {
		defer s.Close()
		for s.Next() {
			if !yield(s.current, nil) {
				return
			}
		}
		if s.err != nil {
			yield(StreamEvent[T]{}, s.err)
		}
	}
}

// Next waits for the next event; false when the stream is closed or cannot go on.
func (s *Stream[T]) Next() bool {
	for s.err == nil {
		if len(s.queue) > 0 {
			raw := s.queue[0]
			s.queue = s.queue[1:]
			s.lastEventID = raw.ID
			// "ready" only says that the stream is open.
			if raw.Event == "ready" {
				continue
			}
			s.take(raw)
			return true
		}
		done, err := s.advance()
		if err == nil && !done {
			continue
		}
		if s.ctx.Err() != nil {
			s.finish()
			return false
		}
		var lost *ConnectionError
		if errors.As(err, &lost) && s.failures < s.most {
			s.failures++
			continue
		}
		s.err = err
		s.drop()
		return false
	}
	return false
}

// finish tells a stream that the caller's context ended from one that was closed.
func (s *Stream[T]) finish() {
	s.drop()
	ended := false
	s.closed.Do(func() { ended = true })
	if ended {
		s.err = fmt.Errorf("the stream was canceled: %w", s.ctx.Err())
	}
}

func (s *Stream[T]) drop() {
	if s.body != nil {
		s.body.Close()
		s.body = nil
	}
}

func (s *Stream[T]) take(raw RawEvent) {
	s.current = StreamEvent[T]{ID: raw.ID, Event: raw.Event, Raw: json.RawMessage(raw.Data)}
	// Data of another shape (a reset) stays readable in Raw.
	_ = json.Unmarshal(s.current.Raw, &s.current.Data)
}

// advance reads one piece, connecting first when needed; true when the service ended the stream for good.
func (s *Stream[T]) advance() (bool, error) {
	if s.body == nil {
		if s.connected {
			if err := s.t.settings.Runtime.Sleep(s.ctx, s.delay()); err != nil {
				return false, err
			}
		}
		opts := append(append([]Option{}, s.opts...), WithMaxRetries(s.most), WithLastEventID(s.lastEventID))
		response, err := s.t.open(s.ctx, s.request, opts)
		s.connected = true
		if err != nil {
			return false, err
		}
		if response.StatusCode == http.StatusNoContent {
			response.Body.Close()
			return true, nil
		}
		s.body, s.parser = response.Body, &SSEParser{id: s.lastEventID}
	}
	piece, err := s.read()
	if len(piece) > 0 {
		s.failures = 0
		s.queue = s.parser.Push(string(piece))
		if s.parser.Retry != nil {
			s.retry = s.parser.Retry
		}
	}
	if err != nil {
		s.drop()
		if err != io.EOF {
			return false, err
		}
	}
	return false, nil
}

func (s *Stream[T]) delay() time.Duration {
	if s.t.settings.StreamReconnectDelay != nil {
		return *s.t.settings.StreamReconnectDelay
	}
	if s.retry != nil {
		return *s.retry
	}
	return 3 * time.Second
}

func (s *Stream[T]) read() ([]byte, error) {
	body := s.body
	idle := s.t.settings.StreamIdleTimeout
	fired := make(chan struct{})
	timer := time.AfterFunc(idle, func() {
		close(fired)
		body.Close()
	})
	defer timer.Stop()
	buffer := make([]byte, 16<<10)
	count, err := body.Read(buffer)
	piece := bytes.Clone(buffer[:count])
	if err == nil || err == io.EOF {
		return piece, err
	}
	select {
	case <-fired:
		return piece, &ConnectionError{Message: fmt.Sprintf("the stream was silent for %s", idle), Cause: err, timeout: true}
	default:
		return piece, &ConnectionError{Message: "the stream was cut: " + err.Error(), Cause: err}
	}
}
