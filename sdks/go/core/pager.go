package core

import "context"

// Page is one page of a list.
type Page[T any] struct {
	Items      []T     `json:"items"`
	HasMore    bool    `json:"has_more"`
	NextCursor *string `json:"next_cursor"`
}

// Pager goes through every item of a list and fetches pages as it needs them:
//
//	keys := client.Keys.List(ctx, api.KeysListQuery{})
//	for keys.Next() {
//		use(keys.Current())
//	}
//	if err := keys.Err(); err != nil { … }
type Pager[T any] struct {
	fetch   func(cursor *string) (*Page[T], error)
	page    *Page[T]
	at      int
	current T
	err     error
}

// List makes a pager; the generated methods use it.
func List[T any](ctx context.Context, t *Transport, request Request, opts []Option) *Pager[T] {
	return &Pager[T]{fetch: func(cursor *string) (*Page[T], error) {
		request.cursor = cursor
		return Do[Page[T]](ctx, t, request, opts)
	}}
}

// Next moves to the next item; false at the end or on a failure.
func (p *Pager[T]) Next() bool {
	for {
		if p.err != nil {
			return false
		}
		if p.page != nil && p.at < len(p.page.Items) {
			p.current = p.page.Items[p.at]
			p.at++
			return true
		}
		page, err := p.NextPage()
		if page == nil || err != nil {
			return false
		}
	}
}

// Current is the item that Next moved to.
func (p *Pager[T]) Current() T { return p.current }

// Err is what ended the list early; nil when nothing did.
func (p *Pager[T]) Err() error { return p.err }

// NextPage fetches the next page whole; nil at the end.
func (p *Pager[T]) NextPage() (*Page[T], error) {
	var cursor *string
	if p.page != nil {
		if !p.page.HasMore || p.page.NextCursor == nil {
			return nil, nil
		}
		cursor = p.page.NextCursor
	}
	page, err := p.fetch(cursor)
	if err != nil {
		p.err = err
		return nil, err
	}
	p.page, p.at = page, 0
	return page, nil
}

// All can be ranged over from Go 1.23 on: for key, err := range pager.All() { … }
func (p *Pager[T]) All() func(yield func(T, error) bool) {
	return func(yield func(T, error) bool) {
		for p.Next() {
			if !yield(p.current, nil) {
				return
			}
		}
		if p.err != nil {
			var none T
			yield(none, p.err)
		}
	}
}
