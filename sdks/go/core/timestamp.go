package core

import (
	"fmt"
	"strings"
	"time"
)

// Timestamp is a time as the service writes it: ISO 8601 with its zone, e.g. 2026-12-01T15:00:00Z. A constant text can
// be given as it is; At makes one from a time.Time.
type Timestamp string

// At writes a time as the service reads it.
func At(moment time.Time) Timestamp { return Timestamp(moment.UTC().Format(time.RFC3339Nano)) }

// Time reads the text.
func (t Timestamp) Time() (time.Time, error) { return time.Parse(time.RFC3339Nano, string(t)) }

// ErrorCode is the stable name of an error; package api lists them all.
type ErrorCode string

// ExactlyOne is the error of a request that must set one of several fields and sets none or more.
func ExactlyOne(names []string, set ...bool) error {
	count := 0
	for _, given := range set {
		if given {
			count++
		}
	}
	if count == 1 {
		return nil
	}
	return fmt.Errorf("set exactly one of %s", strings.Join(names, ", "))
}

// checked refuses a body or query that can only fail.
func checked(parts ...any) error {
	for _, part := range parts {
		if choice, ok := part.(interface{ Check() error }); ok {
			if err := choice.Check(); err != nil {
				return err
			}
		}
	}
	return nil
}
