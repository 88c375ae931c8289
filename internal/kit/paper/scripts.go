package paper

import (
	"slices"
	"strings"
	"unicode"
)

// The fonts of a PDF have Latin, Greek and Cyrillic letters, set from the left. Words in other scripts would be blank, or set the
// wrong way round; words that say so stand for them.

// scripts are names of scripts that the PDF does not print.
var scripts = []struct {
	table *unicode.RangeTable
	name  string
}{
	{unicode.Arabic, "arabe"}, {unicode.Nko, "n’ko"}, {unicode.Hebrew, "hébreu"}, {unicode.Tifinagh, "tifinagh"}, {unicode.Ethiopic, "guèze"}, {unicode.Adlam, "adlam"},
	{unicode.Vai, "vaï"}, {unicode.Bamum, "bamoun"}, {unicode.Han, "chinois"}, {unicode.Devanagari, "devanagari"},
}

// scriptOf returns the name of the script of a letter, digit or mark that the PDF does not print, "" for any other character.
func scriptOf(r rune) string {
	if r < '\u0530' || !unicode.In(r, unicode.L, unicode.M, unicode.N) && !unicode.In(r, unicode.Arabic, unicode.Nko, unicode.Hebrew) {
		return ""
	}
	for _, s := range scripts {
		if unicode.Is(s.table, r) {
			return s.name
		}
	}
	switch {
	case r >= '\u0600' && r <= '\u06ff':
		return "arabe" // figures and signs that other languages have too
	case unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Common, unicode.Inherited):
		return ""
	}
	return "une autre écriture"
}

// told replaces words that the PDF cannot print by a note, and returns the names of their scripts.
func told(text string) (out string, names []string) {
	if !strings.ContainsFunc(text, func(r rune) bool { return scriptOf(r) != "" }) {
		return text, nil
	}
	var b strings.Builder
	in, gap := "", "" // the script of the words that are left out, and what was read since that may be between two of them
	for _, r := range text {
		switch name := scriptOf(r); {
		case name != "" && name != in:
			b.WriteString(gap)
			b.WriteString("[mots en " + name + "]")
			names = append(names, name)
			in, gap = name, ""
		case name != "":
			gap = ""
		case in == "":
			b.WriteRune(r)
		case unicode.IsLetter(r) || r == '\n':
			b.WriteString(gap)
			b.WriteRune(r)
			in, gap = "", ""
		default:
			gap += string(r)
		}
	}
	b.WriteString(gap)
	return b.String(), names
}

// toldBlocks replaces the words of blocks that the PDF cannot print. If there are any, it inserts a block in front that
// names their scripts.
func toldBlocks(all []block) []block {
	var names []string
	for i := range all {
		for j := range all[i].runs {
			one := &all[i].runs[j]
			var of []string
			one.text, of = told(one.text)
			for _, name := range of {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	if len(names) == 0 {
		return all
	}
	note := "Ce PDF ne peut pas imprimer les mots en " + strings.Join(names, ", ") + " : ils sont dans l’export Word et sur la page du texte."
	return append([]block{{runs: []run{{text: note, italic: true}}}}, all...)
}
