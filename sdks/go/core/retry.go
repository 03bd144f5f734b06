package core

import (
	"errors"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	firstWait = 500 * time.Millisecond
	mostWait  = 8 * time.Second
	// A longer wait than this is the caller's to decide.
	mostRetryAfter = 60 * time.Second
)

func isRetryable(err error) bool {
	var lost *ConnectionError
	if errors.As(err, &lost) {
		return true
	}
	var refused *Error
	if !errors.As(err, &refused) {
		return false
	}
	switch refused.Header.Get("X-Should-Retry") {
	case "true":
		return true
	case "false":
		return false
	}
	if refused.Retryable != nil {
		return *refused.Retryable
	}
	return refused.Status == 408 || refused.Status == 429 || refused.Status >= 500
}

// retryWait is how long to wait before a retry (the first is 0); false when the service asks for too long.
func retryWait(err error, retry int, random func() float64) (time.Duration, bool) {
	var refused *Error
	if errors.As(err, &refused) && refused.RetryAfter != nil {
		return *refused.RetryAfter, *refused.RetryAfter <= mostRetryAfter
	}
	wait := math.Min(float64(mostWait), float64(firstWait)*math.Pow(2, float64(retry)))
	return time.Duration(wait * (1 - 0.25*random())), true
}

var decimal = regexp.MustCompile(`^\d+(\.\d+)?$`)

// ReadRetryAfter reads Retry-After-Ms, else Retry-After in seconds or as a date; nil when neither can be read.
func ReadRetryAfter(header http.Header, now time.Time) *time.Duration {
	if ms, ok := number(header.Get("Retry-After-Ms")); ok {
		return duration(ms, time.Millisecond)
	}
	given := header.Get("Retry-After")
	if seconds, ok := number(given); ok {
		return duration(seconds, time.Second)
	}
	if date, err := http.ParseTime(given); err == nil {
		wait := date.Sub(now)
		if wait < 0 {
			wait = 0
		}
		return &wait
	}
	return nil
}

func number(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	if !decimal.MatchString(text) {
		return 0, false
	}
	value, err := strconv.ParseFloat(text, 64)
	return value, err == nil
}

func duration(value float64, unit time.Duration) *time.Duration {
	most := float64(math.MaxInt64) / 2
	wait := time.Duration(math.Min(value*float64(unit), most))
	return &wait
}
