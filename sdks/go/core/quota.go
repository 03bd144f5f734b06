package core

import (
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"time"
)

// Quota is what was left of the quota as the last answer said it.
type Quota struct {
	// Policy is the name of the policy, e.g. "free"; empty when the service did not say.
	Policy string
	// Limit is 0 when the service did not say.
	Limit     int
	Remaining int
	// Window is 0 when the service did not say.
	Window time.Duration
	// ResetAt is when the oldest counted request leaves the window.
	ResetAt time.Time
}

var (
	item      = regexp.MustCompile(`^\s*"([^"\\]*)"((?:\s*;\s*[a-z*][a-z0-9_.*-]*=[^;,]+)*)\s*(?:,|$)`)
	parameter = regexp.MustCompile(`;\s*([a-z*][a-z0-9_.*-]*)=\s*(\d+)\s*`)
	whole     = regexp.MustCompile(`^\d{1,15}$`)
)

// ReadQuota reads the fields of draft-ietf-httpapi-ratelimit-headers-11, else X-RateLimit-*; nil when neither is whole.
func ReadQuota(header http.Header, now time.Time) *Quota {
	if name, left := parseItem(header.Get("RateLimit")); left != nil {
		if remaining, ok := left["r"]; ok {
			_, policy := parseItem(header.Get("RateLimit-Policy"))
			return &Quota{
				Policy: name, Limit: policy["q"], Remaining: remaining, Window: time.Duration(policy["w"]) * time.Second,
				ResetAt: now.Add(time.Duration(left["t"]) * time.Second),
			}
		}
	}
	remaining, ok := wholeNumber(header.Get("X-RateLimit-Remaining"))
	if !ok {
		return nil
	}
	limit, _ := wholeNumber(header.Get("X-RateLimit-Limit"))
	reset, _ := wholeNumber(header.Get("X-RateLimit-Reset"))
	return &Quota{Limit: limit, Remaining: remaining, ResetAt: time.Unix(int64(reset), 0)}
}

// parseItem reads the first item of a structured-field list of strings with whole-number parameters.
func parseItem(text string) (string, map[string]int) {
	match := item.FindStringSubmatch(text)
	if match == nil {
		return "", nil
	}
	values := map[string]int{}
	for _, found := range parameter.FindAllStringSubmatch(match[2], -1) {
		if value, ok := wholeNumber(found[2]); ok {
			values[found[1]] = value
		}
	}
	return match[1], values
}

func wholeNumber(text string) (int, bool) {
	if !whole.MatchString(text) {
		return 0, false
	}
	value, err := strconv.Atoi(text)
	return value, err == nil
}

// quotaTracker keeps the snapshot, counts what is under way, and says how long to wait before sending.
type quotaTracker struct {
	mu       sync.Mutex
	snapshot *Quota
	underWay int
}

// reserve is 0 and counts the request when it may go now; otherwise it is how long to wait before asking again.
func (q *quotaTracker) reserve(now time.Time, pacing bool) time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	if pacing && q.snapshot != nil && q.snapshot.Remaining-q.underWay <= 0 {
		if wait := q.snapshot.ResetAt.Sub(now); wait > 0 {
			return wait
		}
		if q.underWay > 0 {
			return 50 * time.Millisecond
		}
	}
	q.underWay++
	return 0
}

func (q *quotaTracker) answered(header http.Header, now time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.underWay--
	if header != nil {
		if seen := ReadQuota(header, now); seen != nil {
			q.snapshot = seen
		}
	}
}

func (q *quotaTracker) read() *Quota {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.snapshot == nil {
		return nil
	}
	seen := *q.snapshot
	return &seen
}
