package meilitest

import (
	"errors"
	"fmt"
	"strings"
)

var filterable = []string{"date_promulgation", "doc_type", "domaine", "statut"}

// Parse parses a filter, as a real server does: conditions « field = "value" » joined by
// AND and OR. It returns a function that reports whether a document matches.
func Parse(filter string) (func(doc map[string]any) bool, error) { return parse(filter) }

func parse(filter string) (func(map[string]any) bool, error) {
	if strings.TrimSpace(filter) == "" {
		return func(map[string]any) bool { return true }, nil
	}
	rest := filter
	var groups [][]func(map[string]any) bool // a disjunction of conjunctions
	groups = append(groups, nil)
	for {
		field, value, right, err := condition(rest)
		if err != nil {
			return nil, err
		}
		last := len(groups) - 1
		groups[last] = append(groups[last], func(d map[string]any) bool { return strings.EqualFold(fmt.Sprint(d[field]), value) })
		right = strings.TrimLeft(right, " ")
		switch {
		case right == "":
			return fits(groups), nil
		case strings.HasPrefix(right, "AND "):
			rest = right[4:]
		case strings.HasPrefix(right, "OR "):
			rest = right[3:]
			groups = append(groups, nil)
		default:
			return nil, fmt.Errorf("unexpected characters at the end of the filter: `%s`", right)
		}
	}
}

func fits(groups [][]func(map[string]any) bool) func(map[string]any) bool {
	return func(d map[string]any) bool {
		for _, all := range groups {
			ok := true
			for _, one := range all {
				ok = ok && one(d)
			}
			if ok {
				return true
			}
		}
		return false
	}
}

// condition parses one condition and returns the rest of the filter.
func condition(s string) (field, value, rest string, err error) {
	field, right, ok := strings.Cut(s, "=")
	field = strings.TrimSpace(field)
	if !ok {
		return "", "", "", errors.New("expected an operation `=`")
	}
	known := false
	for _, f := range filterable {
		known = known || f == field
	}
	if !known {
		return "", "", "", fmt.Errorf("attribute `%s` is not filterable", field)
	}
	right = strings.TrimLeft(right, " ")
	if right == "" {
		return "", "", "", errors.New("expected a value but got nothing")
	}
	if right[0] != '"' {
		value, rest, _ = strings.Cut(right, " ")
		return field, value, rest, nil
	}
	var b strings.Builder
	for i := 1; i < len(right); i++ {
		switch c := right[i]; {
		case c == '\\' && i+1 < len(right):
			i++
			b.WriteByte(right[i])
		case c == '"':
			return field, b.String(), right[i+1:], nil
		default:
			b.WriteByte(c)
		}
	}
	return "", "", "", errors.New("expression `" + right + "` is missing its closing delimiter")
}
