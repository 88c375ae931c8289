package house

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed words.txt
var wordsFile string

//go:embed grammar.txt
var grammarFile string

// part of a phrase: literal text, or the name of what replaces it, with how it is
// joined (« de », « a », « De ») and its argument (« 2-30 »).
type part struct{ text, name, how, arg string }

type phrase []part

// grammar holds the alternatives of every section of the embedded files.
var grammar = sync.OnceValue(func() map[string][]phrase {
	g := map[string][]phrase{}
	name := ""
	for line := range strings.Lines(wordsFile + "\n" + grammarFile) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			name = strings.Trim(line, "[]")
		default:
			for alt := range strings.SplitSeq(line, " | ") {
				g[name] = append(g[name], parsePhrase(strings.TrimSpace(alt)))
			}
		}
	}
	return g
})

func parsePhrase(s string) (out phrase) {
	for s != "" {
		before, rest, found := strings.Cut(s, "{")
		if before != "" {
			out = append(out, part{text: before})
		}
		if !found {
			break
		}
		name, after, ok := strings.Cut(rest, "}")
		if !ok {
			panic(fmt.Sprintf("house: no end of a slot in %q", s))
		}
		p := part{name: name}
		if a, b, ok := strings.Cut(name, ":"); ok {
			switch a {
			case "de", "a", "De":
				p.how, p.name = a, b
			default:
				p.name, p.arg = a, b
			}
		}
		out, s = append(out, p), after
	}
	return out
}

// say makes a phrase of a section.
func (p *pen) say(section string) string {
	alternatives := grammar()[section]
	if len(alternatives) == 0 {
		panic("house: the grammar has no section " + section)
	}
	return p.expand(alternatives[p.rng.IntN(len(alternatives))])
}

// sentence is say with a capital letter at its beginning.
func (p *pen) sentence(section string) string { return capital(p.say(section)) }

func (p *pen) expand(ph phrase) string {
	var b strings.Builder
	for _, x := range ph {
		if x.name == "" {
			b.WriteString(x.text)
			continue
		}
		b.WriteString(contract(x.how, p.slot(x.name, x.arg)))
	}
	return b.String()
}

func beginsWithVowel(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return strings.ContainsRune("aeiouyéèêàâîôœAEIOUYÉÈÊÂÎÔ", r)
}

// contract joins a noun phrase to a preposition: « de » and « le » give « du ».
func contract(how, np string) string {
	if how == "" {
		return np
	}
	article, rest, _ := strings.Cut(np, " ")
	switch {
	case how == "a" && article == "le":
		return "au " + rest
	case how == "a" && article == "les":
		return "aux " + rest
	case how == "a":
		return "à " + np
	}
	out := "de " + np
	switch {
	case article == "le":
		out = "du " + rest
	case article == "les":
		out = "des " + rest
	case beginsWithVowel(np):
		out = "d'" + np
	}
	if how == "De" {
		return capital(out)
	}
	return out
}
