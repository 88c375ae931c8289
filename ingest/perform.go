package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"

	"vigueur/internal/kit/terminal"
	"vigueur/internal/web/client"
)

// request is one request that a command makes, with what came of it.
type request struct {
	*input
	server *server
	method string
	path   string
	words  []string       // the arguments that name objects
	ids    []string       // their ids
	fields map[string]any // of the query or the body
	first  any            // the object of First
	raw    json.RawMessage
	items  []json.RawMessage
	total  int  // of a list
	more   bool // whether a list has more items, or may have
}

// targets returns the kinds of objects that a call names, in order.
func targets(call string) (names []string) {
	for part := range strings.SplitSeq(call, "{") {
		if name, _, named := strings.Cut(part, "}"); named {
			names = append(names, name)
		}
	}
	return names
}

// thingNamed returns the kind of objects that a call or an option names, and panics if there is none.
func thingNamed(kind string) thing {
	of, known := things[kind]
	if !known {
		panic("nothing is called " + kind)
	}
	return of
}

// perform makes the request of a declared command and prints the response. Where the command takes more arguments than
// its call names, it makes one for each.
func (a *app) perform(ctx context.Context, in *input) error {
	named := targets(in.Call)
	words := in.args[:min(len(named), len(in.args))]
	several := len(named) == 1 && in.Args.Most > len(named)+len(in.Fields)
	if several {
		words = in.args
	}
	for i, word := range words {
		thing := thingNamed(named[min(i, len(named)-1)])
		if err := thing.check(word); err != nil { // before anything is changed
			return err
		}
	}
	return a.withServer(ctx, func(s *server) error {
		fields, err := a.fieldsOf(ctx, s, in)
		if err != nil {
			return err
		}
		if !several {
			r, err := a.request(ctx, s, in, words, fields)
			if err != nil {
				return err
			}
			return a.print(ctx, r)
		}
		return a.several(ctx, words, func(ctx context.Context, word string) (any, error) {
			r, err := a.request(ctx, s, in, []string{word}, fields)
			if err != nil {
				return nil, err
			}
			return r.raw, a.sayOf(r)
		})
	})
}

// fieldsOf returns the fields of the request that options and arguments give.
func (a *app) fieldsOf(ctx context.Context, s *server, in *input) (map[string]any, error) {
	fields := maps.Clone(in.Body)
	if fields == nil {
		fields = map[string]any{}
	}
	for i, name := range in.Fields {
		if pos := len(targets(in.Call)) + i; pos < len(in.args) {
			fields[name] = in.args[pos]
		}
	}
	for name, o := range in.Flags {
		f := in.flags.Lookup(name)
		if f == nil || o.Field == "-" || !f.Changed && o.Preset == "" || o.Is == "bool" && o.Sets != nil && !in.has(name) {
			continue
		}
		maps.Copy(fields, o.Sets)
		if o.Sets != nil && o.Field == "" {
			continue
		}
		value, err := a.valueOf(ctx, s, in, name, o)
		if err != nil {
			return nil, err
		}
		if value != "" {
			fields[cmp.Or(o.Field, name)] = value
		} else if o.Clears {
			fields[cmp.Or(o.Field, name)] = nil
		}
	}
	return fields, nil
}

// valueOf returns the value of an option as the API takes it.
func (a *app) valueOf(ctx context.Context, s *server, in *input, name string, o *option) (any, error) {
	switch o.Is {
	case "bool":
		return in.has(name), nil
	case "int":
		return in.number(name), nil
	case "words":
		return sure(in.flags.GetStringSlice(name)), nil
	case "file":
		return readWords(a.in, in.text(name))
	}
	typed := strings.TrimSpace(in.text(name))
	if o.As == "" || typed == "" {
		return typed, nil
	}
	thing := thingNamed(o.As)
	return thing.find(ctx, s, typed)
}

// request makes the request of a command for the objects that words name.
func (a *app) request(ctx context.Context, s *server, in *input, words []string, fields map[string]any) (r *request, err error) {
	r = &request{input: in, server: s, words: words, fields: fields}
	var of thing
	named := targets(in.Call)
	for i, word := range words {
		of = thingNamed(named[i])
		id, err := of.find(ctx, s, word)
		if err != nil {
			return r, err
		}
		r.ids = append(r.ids, id)
	}
	r.method, r.path, _ = strings.Cut(in.address(in.Call, r.ids), " ")
	if in.First != "" {
		var first json.RawMessage
		if err := s.Call(ctx, http.MethodGet, in.address(in.First, r.ids), nil, nil, &first); err != nil {
			return r, of.orAbsent(err, r.id())
		}
		r.first = plain(first)
	}
	if in.Ask != "" && !in.has("yes") {
		if err := a.agreedTo(told(in.Ask, r), "Rien n’est supprimé : ce n’a pas été confirmé (--yes supprime sans demander)."); err != nil {
			return r, err
		}
	}
	if in.Pages != "" {
		err = r.collect(ctx)
	} else {
		err = r.send(ctx)
	}
	if err != nil && len(r.ids) > 0 {
		err = of.orAbsent(err, r.id())
	}
	return r, err
}

// address returns a call or a path with ids in the place of the objects that it names.
func (d *declaration) address(call string, ids []string) string {
	named := targets(call)
	for i, id := range ids[:len(named)] {
		call = strings.Replace(call, "{"+named[i]+"}", url.PathEscape(id), 1)
	}
	return call
}

// id returns the id of the last object that the request names, "" if it names none.
func (r *request) id() string {
	if len(r.ids) == 0 {
		return ""
	}
	return r.ids[len(r.ids)-1]
}

// query returns the fields as a query.
func (r *request) query() url.Values {
	query := url.Values{}
	for name, value := range r.fields {
		query.Set(name, fmt.Sprint(value))
	}
	return query
}

// send makes a request whose response is no list.
func (r *request) send(ctx context.Context) error {
	var err error
	switch {
	case r.method == http.MethodGet:
		err = r.server.Call(ctx, r.method, r.path, r.query(), nil, &r.raw)
	case len(r.fields) == 0:
		err = r.server.Call(ctx, r.method, r.path, nil, nil, &r.raw)
	default:
		err = r.server.Call(ctx, r.method, r.path, nil, r.fields, &r.raw)
	}
	if err == nil && len(r.raw) == 0 {
		return r.done()
	}
	return err
}

// done makes the response of a request that has none: there is nothing to show but what was done.
func (r *request) done() (err error) {
	done := map[string]any{}
	if id := r.id(); id != "" {
		done["id"] = id
	}
	for name, value := range r.JSON {
		if text, ok := value.(string); ok {
			if value = told(text, r); value == "" {
				value = nil
			}
		}
		done[name] = value
	}
	r.raw, err = json.Marshal(done)
	return err
}

// collect gathers a list.
func (r *request) collect(ctx context.Context) (err error) {
	most := math.MaxInt
	if o := r.Flags["limit"]; o != nil && o.Field == "-" {
		most = r.number("limit")
	}
	switch query := r.query(); r.Pages {
	case "cursor":
		r.items, r.more, err = client.ListUpTo[json.RawMessage](ctx, r.server.Client, r.path, query, most)
		r.total = len(r.items)
	case "numbers":
		r.items, r.total, err = client.Numbered[json.RawMessage](ctx, r.server.Client, r.path, query, most)
		r.more = len(r.items) < r.total
	case "whole":
		var list struct {
			Items []json.RawMessage `json:"items"`
		}
		err = r.server.Call(ctx, r.method, r.path, query, nil, &list)
		r.items, r.total = list.Items, len(list.Items)
	case "page": // one page, as it comes
		var page struct {
			Items []json.RawMessage `json:"items"`
			Total int               `json:"total"`
		}
		if err = r.server.Call(ctx, r.method, r.path, query, nil, &r.raw); err == nil {
			err = json.Unmarshal(r.raw, &page)
		}
		r.items, r.total = page.Items, page.Total
		r.more = len(r.items) < r.total
	default:
		panic("a list cannot come by " + r.Pages)
	}
	r.items = slices.DeleteFunc(r.items, r.skipped)
	return err
}

// skipped reports whether an item of a list is left out.
func (r *request) skipped(item json.RawMessage) bool {
	for name, value := range r.Skip {
		if fields, ok := plain(item).(map[string]any); ok && fields[name] == value {
			r.total--
			return true
		}
	}
	return false
}

// print prints the response.
func (a *app) print(ctx context.Context, r *request) error {
	switch {
	case r.Lines:
		for _, item := range r.items {
			if err := writeJSONLine(a.out, item); err != nil {
				return err
			}
		}
		fmt.Fprintln(a.err, told(r.Remark, r))
		return nil
	case a.json && r.raw != nil:
		return writeJSON(a.out, r.raw)
	case a.json:
		return writeList(a.out, r.items, r.total)
	case r.Shows != "":
		return shows[r.Shows](a, ctx, r)
	case r.Columns.Content != nil:
		if err := a.table(r); err != nil {
			return err
		}
	default:
		if err := a.sayOf(r); err != nil {
			return err
		}
	}
	if r.Then != "" {
		return shows[r.Then](a, ctx, r)
	}
	return nil
}

// sayOf prints the sentences about a response that is no list.
func (a *app) sayOf(r *request) error {
	if a.json {
		return nil
	}
	if r.Remark != "" {
		fmt.Fprintln(a.err, told(r.Remark, r))
	}
	if r.Said == "" && r.Data == "" {
		return writeJSON(a.out, r.raw)
	}
	if r.Data != "" {
		_, err := fmt.Fprintln(a.out, told(r.Data, r))
		return err
	}
	return a.say("%s", strings.TrimSpace(told(r.Said, r)))
}

// table prints a list. Its ids are shortened if it is whole.
func (a *app) table(r *request) error {
	t := terminal.Table{}
	for _, c := range r.shownColumns() {
		t.Head = append(t.Head, c.head)
	}
	var ids []uuid.UUID
	for _, item := range r.items {
		value := plain(item)
		if fields, ok := value.(map[string]any); ok && r.first != nil {
			fields["first"] = r.first
		}
		row := make([]any, len(t.Head))
		for i, c := range r.shownColumns() {
			text := rendered(c.value, value)
			row[i] = text
			if id, err := uuid.Parse(text); err == nil && !r.Full {
				row[i] = id
				ids = append(ids, id)
			}
		}
		t.Add(row...)
	}
	if !r.more {
		t.IDs = a.shortened(ids)
	}
	if err := t.Write(a.out, told(r.None, r)); err != nil || len(r.items) == 0 || r.After == "" {
		return err
	}
	_, err := fmt.Fprintln(a.outcome(), told(r.After, r))
	return err
}

// record prints an object as the names of columns with their values. Each line of a value has a name.
func (a *app) record(columns []shownColumn, value any) error {
	raw, err := json.Marshal(value)
	for _, c := range columns {
		for line := range strings.Lines(rendered(c.value, plain(raw))) {
			terminal.Field(a.out, 21, c.head, strings.TrimSpace(line))
		}
	}
	return err
}

// decoded returns the response, or an item of it, as a value of T.
func decoded[T any](raw json.RawMessage) (v T, err error) {
	err = json.Unmarshal(raw, &v)
	return v, err
}

// plain returns a value of the API for templates: an object as a map, without null, with whole numbers as int, and with
// each text on one line and safe for a terminal.
func plain(raw json.RawMessage) any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil // Receive has checked it
	}
	return simple(v)
}

func simple(v any) any {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return terminal.Line(v)
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return int(n)
		}
		f, _ := v.Float64() // it is a number
		return f
	case []any:
		for i := range v {
			v[i] = simple(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = simple(v[name])
		}
	}
	return v
}

// agreedTo asks the operator to confirm with « oui ». refusal is the error otherwise.
func (a *app) agreedTo(what, refusal string) error {
	fmt.Fprintf(a.always, "%s Tapez « oui » pour confirmer : ", what)
	line, err := bufio.NewReader(io.LimitReader(a.in, 1024)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !strings.EqualFold(strings.TrimSpace(line), "oui") {
		return usage("%s", refusal)
	}
	return nil
}
