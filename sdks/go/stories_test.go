package actionconnector_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	ac "github.com/action-connector/action-connector-go"
	"github.com/action-connector/action-connector-go/core"
)

// The stories shared by all languages: the host hands out steps and judges what was seen; this file only does them.

type step struct {
	Call    string          `json:"call"`
	Path    []string        `json:"path"`
	Body    json.RawMessage `json:"body"`
	Query   json.RawMessage `json:"query"`
	Options callOptions     `json:"options"`
	As      string          `json:"as"`
	Take    int             `json:"take"`
	Repeat  int             `json:"repeat"`
	Cancel  bool            `json:"cancel"`
}

type callOptions struct {
	IdempotencyKey string `json:"idempotency_key"`
	TimeoutMs      int64  `json:"timeout_ms"`
	TotalTimeoutMs int64  `json:"total_timeout_ms"`
	MaxRetries     *int   `json:"max_retries"`
	LastEventID    string `json:"last_event_id"`
}

type told struct {
	Run     string `json:"run"`
	BaseURL string `json:"base_url"`
	APIKey  string `json:"api_key"`
	Client  struct {
		callOptions
		Pacing              bool  `json:"pacing"`
		StreamIdleTimeoutMs int64 `json:"stream_idle_timeout_ms"`
	} `json:"client"`
	Step   *step    `json:"step"`
	Done   bool     `json:"done"`
	OK     bool     `json:"ok"`
	Faults []string `json:"faults"`
}

type teller struct {
	host     string
	run      string
	client   *ac.Client
	offset   time.Duration
	waits    []float64
	warnings []string
}

func TestStories(t *testing.T) {
	host := os.Getenv("ACTION_CONNECTOR_STORIES")
	if host == "" {
		t.Skip("ACTION_CONNECTOR_STORIES names no story host; run sdks/test.ts")
	}
	var list struct {
		Stories []string `json:"stories"`
	}
	ask(t, http.MethodGet, host+"/stories", nil, &list)
	for _, name := range list.Stories {
		name := name
		t.Run(name, func(t *testing.T) { tell(t, host, name) })
	}
}

func tell(t *testing.T, host, name string) {
	var next told
	ask(t, http.MethodPost, host+"/stories/"+url.PathEscape(name), map[string]any{}, &next)
	w := &teller{host: host, run: next.Run}
	if !next.Done {
		w.client = w.open(t, next)
	}
	for !next.Done {
		w.waits, w.warnings = []float64{}, []string{}
		seen := w.perform(t, *next.Step)
		seen["waits_ms"], seen["warnings"] = w.waits, w.warnings
		if quota := w.client.Quota(); quota != nil {
			seen["quota"] = map[string]any{"policy": quota.Policy, "limit": quota.Limit, "remaining": quota.Remaining, "window_seconds": quota.Window.Seconds()}
		}
		next = told{}
		ask(t, http.MethodPost, host+"/runs/"+w.run, seen, &next)
	}
	if !next.OK {
		t.Error(strings.Join(next.Faults, "\n"))
	}
}

// open makes a client whose time passes only when it waits.
func (w *teller) open(t *testing.T, from told) *ac.Client {
	options := []ac.ClientOption{
		ac.WithBaseURL(from.BaseURL), ac.WithAPIKey(from.APIKey),
		ac.WithRuntime(func(r *core.Runtime) {
			r.Now = func() time.Time { return time.Now().Add(w.offset) }
			r.Sleep = func(_ context.Context, wait time.Duration) error {
				w.offset += wait
				w.waits = append(w.waits, float64(wait)/float64(time.Millisecond))
				return nil
			}
			r.Warn = func(message string) { w.warnings = append(w.warnings, message) }
		}),
	}
	if from.Client.MaxRetries != nil {
		options = append(options, ac.WithClientMaxRetries(*from.Client.MaxRetries))
	}
	if from.Client.TimeoutMs > 0 {
		options = append(options, ac.WithClientTimeout(time.Duration(from.Client.TimeoutMs)*time.Millisecond))
	}
	if from.Client.StreamIdleTimeoutMs > 0 {
		options = append(options, ac.WithStream(time.Duration(from.Client.StreamIdleTimeoutMs)*time.Millisecond, 8, nil))
	}
	if from.Client.Pacing {
		options = append(options, ac.WithPacing())
	}
	client, err := ac.New(options...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func (w *teller) perform(t *testing.T, s step) map[string]any {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if s.Cancel {
		go func() {
			response, err := http.Get(w.host + "/runs/" + w.run + "/held")
			if err == nil {
				response.Body.Close()
			}
			cancel()
		}()
	}
	var response *http.Response
	seen := map[string]any{}
	for n := 0; n == 0 || n < s.Repeat; n++ {
		value, err := w.call(ctx, s, &response)
		if err != nil {
			return map[string]any{"error": describe(err)}
		}
		seen["value"] = value
	}
	if response != nil {
		seen["response"] = map[string]any{"status": response.StatusCode, "request_id": response.Header.Get("X-Request-Id")}
	}
	return seen
}

// call finds the generated method by its name and calls it.
func (w *teller) call(ctx context.Context, s step, response **http.Response) (any, error) {
	if s.Call == "$unwrap" {
		return unwrap(s.Body)
	}
	parts := strings.Split(strings.ReplaceAll(s.Call, "_", ""), ".")
	resource := reflect.ValueOf(w.client.Namespaces)
	for _, name := range parts[:len(parts)-1] {
		resource = resource.Elem().FieldByNameFunc(func(field string) bool { return strings.EqualFold(field, name) })
	}
	method := methodOf(resource, parts[len(parts)-1])
	args := []reflect.Value{reflect.ValueOf(ctx)}
	for _, value := range s.Path {
		args = append(args, reflect.ValueOf(value))
	}
	for _, text := range []json.RawMessage{s.Body, s.Query} {
		if len(args) >= method.Type().NumIn()-1 {
			break
		}
		if text == nil && len(s.Query)+len(s.Body) > 0 {
			continue
		}
		argument := reflect.New(method.Type().In(len(args)))
		if text != nil {
			if err := json.Unmarshal(text, argument.Interface()); err != nil {
				return nil, err
			}
			sendNulls(text, argument.Elem())
		}
		args = append(args, argument.Elem())
	}
	for _, option := range append(s.Options.list(), ac.WithResponseInto(response)) {
		args = append(args, reflect.ValueOf(option))
	}
	results := method.Call(args)
	switch s.As {
	case "items":
		return walk(results[0], -1)
	case "events":
		defer results[0].MethodByName("Close").Call(nil)
		return walk(results[0], s.Take)
	}
	if len(results) == 1 {
		results = results[0].MethodByName("NextPage").Call(nil)
	}
	err, _ := results[1].Interface().(error)
	return results[0].Interface(), err
}

func unwrap(text json.RawMessage) (any, error) {
	var given struct {
		Body    string
		Headers map[string]string
		Secrets []string
	}
	if err := json.Unmarshal(text, &given); err != nil {
		return nil, err
	}
	return ac.UnwrapWebhook([]byte(given.Body), header(given.Headers), given.Secrets)
}

// sendNulls does what a caller does with ac.Clear: encoding/json turns null into a nil pointer, which is not sent.
func sendNulls(text json.RawMessage, into reflect.Value) {
	var fields map[string]json.RawMessage
	if into.Kind() != reflect.Struct || json.Unmarshal(text, &fields) != nil {
		return
	}
	for i := 0; i < into.NumField(); i++ {
		name, _, _ := strings.Cut(into.Type().Field(i).Tag.Get("json"), ",")
		field := into.Field(i)
		if string(fields[name]) == "null" && field.Kind() == reflect.Pointer && strings.Contains(field.Type().String(), "Nullable[") {
			field.Set(reflect.New(field.Type().Elem()))
		}
	}
}

func methodOf(receiver reflect.Value, name string) reflect.Value {
	for i := 0; i < receiver.NumMethod(); i++ {
		if strings.EqualFold(receiver.Type().Method(i).Name, name) {
			return receiver.Method(i)
		}
	}
	panic("no method " + name)
}

func walk(list reflect.Value, most int) (any, error) {
	items := []any{}
	for most < 0 || len(items) < most {
		if !list.MethodByName("Next").Call(nil)[0].Bool() {
			break
		}
		item := list.MethodByName("Current").Call(nil)[0]
		if item.Kind() == reflect.Struct && item.FieldByName("Raw").IsValid() {
			items = append(items, map[string]any{"id": item.FieldByName("ID").Interface(), "event": item.FieldByName("Event").Interface(), "data": item.FieldByName("Raw").Interface()})
			continue
		}
		items = append(items, item.Interface())
	}
	err, _ := list.MethodByName("Err").Call(nil)[0].Interface().(error)
	return items, err
}

func (o callOptions) list() []ac.Option {
	var options []ac.Option
	if o.IdempotencyKey != "" {
		options = append(options, ac.WithIdempotencyKey(o.IdempotencyKey))
	}
	if o.TimeoutMs > 0 {
		options = append(options, ac.WithTimeout(time.Duration(o.TimeoutMs)*time.Millisecond))
	}
	if o.TotalTimeoutMs > 0 {
		options = append(options, ac.WithTotalTimeout(time.Duration(o.TotalTimeoutMs)*time.Millisecond))
	}
	if o.LastEventID != "" {
		options = append(options, ac.WithLastEventID(o.LastEventID))
	}
	return options
}

func describe(err error) map[string]any {
	var refused *ac.Error
	var lost *ac.ConnectionError
	var untrusted *ac.WebhookVerificationError
	switch {
	case errors.As(err, &untrusted):
		return map[string]any{"kind": "webhook"}
	case errors.Is(err, context.Canceled):
		return map[string]any{"kind": "canceled"}
	case errors.As(err, &lost) && lost.Timeout():
		return map[string]any{"kind": "timeout"}
	case errors.As(err, &lost):
		return map[string]any{"kind": "connection", "message": err.Error()}
	case !errors.As(err, &refused):
		return map[string]any{"kind": "argument", "message": err.Error()}
	}
	kind := "api"
	for name, target := range map[string]error{
		"bad_request": ac.ErrBadRequest, "authentication": ac.ErrAuthentication, "permission_denied": ac.ErrPermissionDenied, "not_found": ac.ErrNotFound,
		"conflict": ac.ErrConflict, "unprocessable": ac.ErrUnprocessable, "rate_limit": ac.ErrRateLimit, "server": ac.ErrServer,
	} {
		if errors.Is(err, target) {
			kind = name
		}
	}
	shown := map[string]any{"kind": kind, "status": refused.Status, "code": refused.Code, "hint": refused.Hint, "request_id": refused.RequestID, "faults": refused.Faults, "message": refused.Error()}
	if refused.RetryAfter != nil {
		shown["retry_after_ms"] = float64(*refused.RetryAfter) / float64(time.Millisecond)
	}
	return shown
}

func ask(t *testing.T, method, address string, body any, into any) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, _ := http.NewRequest(method, address, bytes.NewReader(text))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(into); err != nil {
		t.Fatal(err)
	}
}
