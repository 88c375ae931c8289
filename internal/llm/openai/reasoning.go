package openai

import (
	"errors"
	"strings"
)

// thoughts are the tags between which models write what is not meant to be read.
var thoughts = []string{"think", "thinking", "thought", "reasoning"}

// errThoughtAloud says that a model closed a reasoning that it never opened:
// what came before was none of the answer.
var errThoughtAloud = errors.New("openai: the model's reasoning is not told apart from its answer")

// reasoning takes what stands between such tags out of a text that comes in
// pieces. A tag that may have begun is held back.
type reasoning struct {
	held   string
	inside string // the tag that is open
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

// end gives what was held back; a reasoning that was never closed is left out.
func (f *reasoning) end() string {
	if f.inside != "" {
		return ""
	}
	return f.held
}

// nextTag finds the first tag that opens or closes a reasoning.
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

// partialTag is how many bytes at the end of text may begin a tag.
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

// fold lowers ASCII letters, so that offsets stay.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, text)
}
