package main

import (
	"fmt"
	"slices"
	"strings"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/web/httpapi/gazettes"
)

// lackingNames are the prompts for missing required fields.
var lackingNames = map[string]struct{ question, example string }{
	"doc_type":          {"Type du texte (" + joined(law.DocTypes()) + ")", "decret"},
	"date_promulgation": {"Date de promulgation (AAAA-MM-JJ)", "2000-05-17"},
}

// askFor asks for the missing fields of a text on the terminal and returns them in the form
// of --set. Without a terminal, it returns an error that lists the required options.
func (a *app) askFor(fields []string, w gazettes.ReadReviewBody) (given []string, err error) {
	for i, field := range fields {
		prompt := lackingNames[field].question + " : "
		if i == 0 {
			prompt = fmt.Sprintf("« %s » (%s, p. %s).\n", cleanLine(w.Review.Title), cleanLine(w.Filename), span(w.Review.FirstPage, w.Review.LastPage)) + prompt
		}
		line, ok, err := a.question(prompt)
		if err != nil {
			return nil, err
		}
		if !ok || line == "" {
			return nil, notGiven(fields)
		}
		given = append(given, field+"="+line)
	}
	return given, nil
}

// notGiven returns the error that a text cannot be accepted without required fields.
func notGiven(fields []string) error {
	options := make([]string, len(fields))
	for i, field := range fields {
		options[i] = "--set " + field + "=" + lackingNames[field].example
	}
	return errs.Newf(errs.Unprocessable, "Le texte reste en revue : il lui manque ce qui n’a pas pu y être lu. Donnez-le, par exemple : %s",
		strings.Join(options, " "))
}

// unlessLacking returns a function that formats a field's value, or says in French that the
// value must be given.
func unlessLacking(doubts []law.Doubt) func(field, value string) string {
	lacking := law.Lacking(doubts)
	return func(field, value string) string {
		if slices.Contains(lacking, field) {
			return "(à donner)"
		}
		return value
	}
}
