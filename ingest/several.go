package main

import (
	"context"
	"fmt"
	"slices"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
)

// severalHelp is what commands on several objects say about them.
const severalHelp = "Plusieurs à la fois : chacun pour soi,\n" +
	"un refus n’arrête pas les autres et le code de sortie est alors 1."

// severalFailure is the printed form of an object that a command did not change.
type severalFailure struct {
	Given string `json:"given"`
	Error string `json:"error"`
}

// several calls f for each word, once for each. f reports an object that it changed with say
// and returns its printed form. With a single word, the output and the error are those of f
// alone. Otherwise the refusal of one word does not stop the others; a store that is down, a cancelled command
// and what is wrong with the change itself do.
func (a *app) several(ctx context.Context, words []string, f func(ctx context.Context, word string) (any, error)) error {
	if len(words) == 1 {
		now, err := f(ctx, words[0])
		if err != nil || !a.json {
			return err
		}
		return writeJSON(a.out, now)
	}
	done, failed := []any{}, []severalFailure{}
	var stopped error
	for i, word := range words {
		if slices.Contains(words[:i], word) {
			continue
		}
		now, err := f(ctx, word)
		if err == nil {
			done = append(done, now)
			continue
		}
		if ctx.Err() != nil || errs.Is(err, errs.Cancelled) || errs.Is(err, errs.Unavailable) || errs.Is(err, errs.Unauthorized) || errs.Is(err, errs.Invalid) {
			stopped = err
			break
		}
		failed = append(failed, severalFailure{terminal.Line(word), sentence(err)})
		if !a.json {
			fmt.Fprintf(a.err, "%s : %s\n", terminal.Line(word), sentence(err))
		}
	}
	if a.json {
		if err := writeJSON(a.out, map[string]any{"items": done, "failed": failed}); err != nil {
			return err
		}
	}
	switch {
	case stopped != nil:
		return stopped
	case len(failed) > 0:
		return quiet{exitFailed}
	}
	return nil
}

// say prints a message about an object that was changed, unless the output is JSON.
func (a *app) say(format string, args ...any) error {
	if a.json {
		return nil
	}
	_, err := fmt.Fprintf(a.outcome(), format+"\n", args...)
	return err
}
