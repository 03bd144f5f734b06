// Package actest answers calls without a service, for the tests of a program that uses the client.
package actest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// Refusal is an answer that refuses.
type Refusal struct {
	Status int
	Code   string
	Detail string
}

// Request is one request that was made.
type Request struct {
	Method string
	Path   string
	Query  string
	Header http.Header
	Body   []byte
}

// Fake is an http.RoundTripper: give its Client to WithHTTPClient.
type Fake struct {
	routes map[string]any
	mu     sync.Mutex
	seen   []Request
}

// New answers each route, e.g. "POST /delivery/schedule" or "GET /delivery/{id}", with its data, with a Refusal, or with
// what a func(Request) any gives.
func New(routes map[string]any) *Fake { return &Fake{routes: routes} }

// Client is an HTTP client that reaches this fake alone.
func (f *Fake) Client() *http.Client { return &http.Client{Transport: f} }

// Requests are those made so far.
func (f *Fake) Requests() []Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Request(nil), f.seen...)
}

// RoundTrip answers one request.
func (f *Fake) RoundTrip(request *http.Request) (*http.Response, error) {
	var body []byte
	if request.Body != nil {
		body, _ = io.ReadAll(request.Body)
	}
	path := strings.TrimPrefix(request.URL.Path, "/api/v1")
	seen := Request{Method: request.Method, Path: path, Query: request.URL.RawQuery, Header: request.Header, Body: body}
	f.mu.Lock()
	f.seen = append(f.seen, seen)
	f.mu.Unlock()
	answer, ok := f.find(request.Method, path)
	if !ok {
		return nil, fmt.Errorf("the fake has no route for %s %s", request.Method, path)
	}
	if make, ok := answer.(func(Request) any); ok {
		answer = make(seen)
	}
	if refusal, ok := answer.(Refusal); ok {
		problem := map[string]any{"code": refusal.Code, "status": refusal.Status, "title": refusal.Code, "detail": refusal.Detail, "hint": "", "retryable": false}
		return respond(request, refusal.Status, map[string]any{"success": false, "error": problem})
	}
	return respond(request, http.StatusOK, map[string]any{"success": true, "data": answer})
}

func (f *Fake) find(method, path string) (any, bool) {
	if answer, ok := f.routes[method+" "+path]; ok {
		return answer, true
	}
	parts := strings.Split(path, "/")
	for route, answer := range f.routes {
		verb, pattern, _ := strings.Cut(route, " ")
		names := strings.Split(pattern, "/")
		if verb == method && len(names) == len(parts) && fits(names, parts) {
			return answer, true
		}
	}
	return nil, false
}

func fits(names, parts []string) bool {
	for i, name := range names {
		if !strings.HasPrefix(name, "{") && name != parts[i] {
			return false
		}
	}
	return true
}

func respond(request *http.Request, status int, body any) (*http.Response, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	header := http.Header{"Content-Type": {"application/json"}, "X-Request-Id": {"req_fake"}}
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(bytes.NewReader(text)), Request: request}, nil
}
