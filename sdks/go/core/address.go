package core

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"sort"
	"strings"
)

// expand puts the parameters into the path; an empty one or dots would address something else.
func expand(path string, params []string) (string, error) {
	for _, value := range params {
		from, to := strings.Index(path, "{"), strings.Index(path, "}")
		if value == "" || value == "." || value == ".." {
			return "", fmt.Errorf("%s must be a non-empty string", path[from+1:to])
		}
		path = path[:from] + strings.ReplaceAll(url.PathEscape(value), "{", "%7B") + path[to+1:]
	}
	return path, nil
}

// encodeQuery reads the struct through its JSON names; lists are joined by commas.
func encodeQuery(query any, cursor *string) (string, error) {
	fields := map[string]any{}
	if query != nil {
		text, err := json.Marshal(query)
		if err != nil {
			return "", fmt.Errorf("the query cannot be written: %w", err)
		}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		if err := decoder.Decode(&fields); err != nil {
			return "", fmt.Errorf("the query cannot be written: %w", err)
		}
	}
	if cursor != nil {
		fields["cursor"] = *cursor
	}
	names := make([]string, 0, len(fields))
	for name, value := range fields {
		if value != nil {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	var pairs []string
	for _, name := range names {
		pairs = append(pairs, url.QueryEscape(name)+"="+url.QueryEscape(plainText(fields[name])))
	}
	if len(pairs) == 0 {
		return "", nil
	}
	return "?" + strings.Join(pairs, "&"), nil
}

func plainText(value any) string {
	list, ok := value.([]any)
	if !ok {
		return fmt.Sprint(value)
	}
	var parts []string
	for _, part := range list {
		parts = append(parts, fmt.Sprint(part))
	}
	return strings.Join(parts, ",")
}
