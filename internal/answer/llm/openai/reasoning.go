package openai

import (
	"errors"
	"strings"
)

// thoughts are the tags in which models write their reasoning.
var thoughts = []string{"think", "thinking", "thought", "reasoning"}

// errThoughtAloud means that a model closed a reasoning that it never opened: what came
// before is not part of the answer.
var errThoughtAloud = errors.New("openai: the model's reasoning cannot be separated from its answer")

// reasoning removes the text between such tags from a text that arrives in pieces. A
// possible beginning of a tag is held back.
type reasoning struct {
	held   string
	inside string // the open tag
}

func (f *reasoning) write(piece string) (string, error) {
	f.held += piece
	var out strings.Builder
	for {
		if f.inside != "" {
			end := "</" + f.inside + ">"
			i := strings.Index(fold(f.held), end)
			if i < 0 {
				f.held = f.held[len(f.held)-min(len(f.held), len(end)-1):]
				return out.String(), nil
			}
			f.held, f.inside = strings.TrimLeft(f.held[i+len(end):], "\n "), ""
			continue
		}
		at, tag, closing := nextTag(fold(f.held))
		if tag == "" {
			keep := partialTag(fold(f.held))
			out.WriteString(f.held[:len(f.held)-keep])
			f.held = f.held[len(f.held)-keep:]
			return out.String(), nil
		}
		if closing {
			return out.String(), errThoughtAloud
		}
		out.WriteString(f.held[:at])
		f.held, f.inside = f.held[at+len(tag)+len("<>"):], tag
	}
}

// end returns the text that was held back, without reasoning that was never closed.
func (f *reasoning) end() string {
	if f.inside != "" {
		return ""
	}
	return f.held
}

// nextTag finds the first opening or closing tag of a reasoning.
func nextTag(text string) (at int, tag string, closing bool) {
	at = len(text)
	for _, t := range thoughts {
		if i := strings.Index(text, "<"+t+">"); i >= 0 && i < at {
			at, tag, closing = i, t, false
		}
		if i := strings.Index(text, "</"+t+">"); i >= 0 && i < at {
			at, tag, closing = i, t, true
		}
	}
	return at, tag, closing
}

// partialTag returns the number of bytes at the end of text that may be the beginning of a
// tag.
func partialTag(text string) int {
	i := strings.LastIndexByte(text, '<')
	if i < 0 {
		return 0
	}
	for _, t := range thoughts {
		if strings.HasPrefix("<"+t+">", text[i:]) || strings.HasPrefix("</"+t+">", text[i:]) {
			return len(text) - i
		}
	}
	return 0
}

// fold lowers ASCII letters only, so that offsets do not change.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, text)
}
