package actionconnector

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// WebhookEvent is what a webhook carries; decode Data by Type with one of the shapes of package api.
type WebhookEvent struct {
	ID        string          `json:"id"`
	Type      string          `json:"type"`
	CreatedAt time.Time       `json:"created_at"`
	Mode      string          `json:"mode"`
	Tags      []string        `json:"tags"`
	Data      json.RawMessage `json:"data"`
}

// WebhookVerificationError is a webhook that must not be trusted.
type WebhookVerificationError struct{ Message string }

func (e *WebhookVerificationError) Error() string { return e.Message }

// WebhookOption changes how a webhook is verified.
type WebhookOption func(*webhookSettings)

type webhookSettings struct {
	tolerance time.Duration
	now       time.Time
}

// WithTolerance sets how far the timestamp may lie from now, either way; 5 min unless given.
func WithTolerance(tolerance time.Duration) WebhookOption {
	return func(s *webhookSettings) { s.tolerance = tolerance }
}

// WithNow sets the time to judge by.
func WithNow(now time.Time) WebhookOption { return func(s *webhookSettings) { s.now = now } }

// UnwrapWebhook verifies, then gives the event. The body must be the very bytes that arrived.
func UnwrapWebhook(body []byte, header http.Header, secrets []string, opts ...WebhookOption) (*WebhookEvent, error) {
	if err := VerifyWebhook(body, header, secrets, opts...); err != nil {
		return nil, err
	}
	event := &WebhookEvent{}
	return event, json.Unmarshal(body, event)
}

var unixSeconds = regexp.MustCompile(`^\d{1,15}$`)

// VerifyWebhook follows Standard Webhooks 1.0.0: one signature must fit one secret, and the timestamp must be near.
func VerifyWebhook(body []byte, header http.Header, secrets []string, opts ...WebhookOption) error {
	settings := webhookSettings{tolerance: 5 * time.Minute, now: time.Now()}
	for _, apply := range opts {
		apply(&settings)
	}
	keys, err := readKeys(secrets)
	if err != nil {
		return err
	}
	id, timestamp, signatures := header.Get("webhook-id"), header.Get("webhook-timestamp"), header.Get("webhook-signature")
	if id == "" || timestamp == "" || signatures == "" {
		return &WebhookVerificationError{"a webhook header is missing"}
	}
	if !unixSeconds.MatchString(timestamp) {
		return &WebhookVerificationError{"the timestamp is not in Unix seconds"}
	}
	seconds, _ := strconv.ParseInt(timestamp, 10, 64)
	age := settings.now.Unix() - seconds
	tolerance := int64(settings.tolerance / time.Second)
	if age > tolerance || age < -tolerance {
		return &WebhookVerificationError{"the timestamp is too old or too far ahead"}
	}
	signed := append([]byte(id+"."+timestamp+"."), body...)
	for _, key := range keys {
		for _, entry := range strings.Split(signatures, " ") {
			if key.fits(entry, signed) {
				return nil
			}
		}
	}
	return &WebhookVerificationError{"no signature fits"}
}

// SignWebhook makes the headers with which the service would send this body, for tests of your own receiver. The secret
// is a whsec_ one.
func SignWebhook(body []byte, id string, at time.Time, secret string) (http.Header, error) {
	keys, err := readKeys([]string{secret})
	if err != nil {
		return nil, err
	}
	if keys[0].version != "v1" {
		return nil, errors.New("a public key cannot sign")
	}
	timestamp := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, keys[0].bytes)
	mac.Write(append([]byte(id+"."+timestamp+"."), body...))
	header := http.Header{}
	header.Set("webhook-id", id)
	header.Set("webhook-timestamp", timestamp)
	header.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	return header, nil
}

type webhookKey struct {
	version string
	bytes   []byte
}

// fits compares in constant time.
func (k webhookKey) fits(entry string, signed []byte) bool {
	version, encoded, _ := strings.Cut(entry, ",")
	signature, err := base64.StdEncoding.DecodeString(encoded)
	if version != k.version || err != nil {
		return false
	}
	if version == "v1a" {
		return len(k.bytes) == ed25519.PublicKeySize && ed25519.Verify(k.bytes, signed, signature)
	}
	mac := hmac.New(sha256.New, k.bytes)
	mac.Write(signed)
	return hmac.Equal(mac.Sum(nil), signature)
}

// readKeys decodes what follows whsec_ (or whpk_ for a public key): the key is those bytes, never the text itself.
func readKeys(secrets []string) ([]webhookKey, error) {
	var keys []webhookKey
	for _, secret := range secrets {
		key := webhookKey{version: "v1"}
		if strings.HasPrefix(secret, "whpk_") {
			key.version = "v1a"
		}
		text := strings.TrimPrefix(strings.TrimPrefix(secret, "whpk_"), "whsec_")
		bytes, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
		if err != nil || len(bytes) == 0 {
			return nil, errors.New("a webhook secret is whsec_ followed by base64")
		}
		key.bytes = bytes
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, errors.New("at least one webhook secret is needed")
	}
	return keys, nil
}
