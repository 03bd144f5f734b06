package core

import (
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"time"
)

// Log writes one line for each attempt: method, path, status, time, request id. Never a key, never a body.
type Log func(line string)

// LogFromEnvironment is what ACTION_CONNECTOR_LOG asks for: "info" writes every attempt to standard error, "error" those
// that failed, anything else nothing.
func LogFromEnvironment() (all, failures Log) {
	logger := log.New(os.Stderr, "", log.LstdFlags)
	write := func(line string) { logger.Print(line) }
	switch strings.ToLower(os.Getenv("ACTION_CONNECTOR_LOG")) {
	case "info", "debug":
		return write, write
	case "error":
		return nil, write
	}
	return nil, nil
}

func (t *Transport) logAttempt(request Request, status int, requestID string, err error, started time.Time) {
	write := t.settings.LogAll
	if err != nil {
		write = t.settings.LogFailures
	}
	if write == nil {
		return
	}
	write(attemptLine(request, status, requestID, err, t.settings.Runtime.Now().Sub(started)))
}

func attemptLine(request Request, status int, requestID string, err error, took time.Duration) string {
	line := fmt.Sprintf("action-connector: %s %s", request.Method, request.Path)
	if status > 0 {
		line += fmt.Sprintf(" %d", status)
	}
	line += fmt.Sprintf(" %d ms", took.Milliseconds())
	if requestID != "" {
		line += " " + requestID
	}
	var refused *Error
	if errors.As(err, &refused) {
		return line + " " + string(refused.Code)
	}
	if err != nil {
		return line + " " + err.Error()
	}
	return line
}
