package main

import (
	"encoding/json"
	"io"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
)

// writeJSON prints v as one JSON value.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// writeJSONLine prints v on one line. Commands that print many values use it.
func writeJSONLine(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// listing is the JSON form of every list.
type listing[T any] struct {
	Items []T `json:"items"`
	Total int `json:"total"` // number of items, including those that are not listed
}

// writeList prints a list. total is the number of items, including those that are not
// listed.
func writeList[T any](w io.Writer, items []T, total int) error {
	return writeJSON(w, listing[T]{append([]T{}, items...), total})
}

// fault is an error in JSON.
type fault struct {
	Kind   string `json:"kind"`   // name of the kind in package errs
	Detail string `json:"detail"` // French message
}

func faultOf(err error) fault { return fault{errs.KindOf(err).String(), terminal.Clean(sentence(err))} }

// writeFault prints an error on one line.
func writeFault(w io.Writer, f fault) error {
	return writeJSONLine(w, map[string]fault{"error": f})
}
