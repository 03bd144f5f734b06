package core

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// RawEvent is one event of an event stream, as it came.
type RawEvent struct {
	ID    string
	Event string
	Data  string
}

// SSEParser reads the event-stream format of the HTML standard, in pieces of any size. It holds no connection.
type SSEParser struct {
	// Retry is what the service asks to wait before reconnecting; nil until it says.
	Retry    *time.Duration
	id       string
	event    string
	data     []string
	buffered string
	started  bool
}

var digits = regexp.MustCompile(`^\d+$`)

// Push gives the events that the text completes.
func (p *SSEParser) Push(text string) []RawEvent {
	p.buffered += text
	if !p.started && len(p.buffered) >= 3 || !p.started && p.buffered != "" && p.buffered[0] != 0xEF {
		p.started = true
		p.buffered = strings.TrimPrefix(p.buffered, "\ufeff")
	}
	if !p.started {
		return nil
	}
	var events []RawEvent
	for {
		at := strings.IndexAny(p.buffered, "\r\n")
		// A lone CR at the very end may be half of a CRLF that is still to come.
		if at < 0 || p.buffered[at] == '\r' && at == len(p.buffered)-1 {
			return events
		}
		line := p.buffered[:at]
		size := 1
		if strings.HasPrefix(p.buffered[at:], "\r\n") {
			size = 2
		}
		p.buffered = p.buffered[at+size:]
		if line != "" {
			p.line(line)
		} else if event, ok := p.dispatch(); ok {
			events = append(events, event)
		}
	}
}

func (p *SSEParser) line(text string) {
	field, value, _ := strings.Cut(text, ":")
	value = strings.TrimPrefix(value, " ")
	switch field {
	case "data":
		p.data = append(p.data, value)
	case "event":
		p.event = value
	case "id":
		if !strings.Contains(value, "\x00") {
			p.id = value
		}
	case "retry":
		if digits.MatchString(value) {
			if ms, err := strconv.ParseInt(value, 10, 40); err == nil {
				retry := time.Duration(ms) * time.Millisecond
				p.Retry = &retry
			}
		}
	}
}

func (p *SSEParser) dispatch() (RawEvent, bool) {
	event := RawEvent{ID: p.id, Event: p.event, Data: strings.Join(p.data, "\n")}
	if event.Event == "" {
		event.Event = "message"
	}
	whole := len(p.data) > 0
	p.data, p.event = nil, ""
	return event, whole
}
