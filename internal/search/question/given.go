package question

import (
	"slices"
	"strings"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/naming"
)

// Stands returns the reference, a number or a title, that a given name stands for. It is false if the name has none.
func Stands(n naming.Given) (r Reference, ok bool) {
	for _, r := range References(n.Means) {
		if len(r.Articles) == 0 && r.NamesText() && !r.Alone {
			r.Alias = true
			if n.Country != "" {
				r.Owners = []country.Code{n.Country}
			}
			return r, true
		}
	}
	return r, false
}

// findGiven finds the names that operators have given to texts.
func findGiven(text string, names []naming.Given) (out []Reference) {
	type place struct{ start, end int }
	var at []place
	var words []string
	for start, end := range wordsOf(text) {
		at, words = append(at, place{start, end}), append(words, law.Fold(text[start:end]))
	}
	for _, n := range names {
		var wanted []string
		for start, end := range wordsOf(n.Name) {
			wanted = append(wanted, law.Fold(n.Name[start:end]))
		}
		exact := len(n.Name) <= shortAlias && strings.ToUpper(n.Name) == n.Name
		for i := 0; len(wanted) > 0 && i+len(wanted) <= len(words); i++ {
			start, end := at[i].start, at[i+len(wanted)-1].end
			if !slices.Equal(words[i:i+len(wanted)], wanted) || exact && text[start:end] != n.Name {
				continue
			}
			if r, ok := Stands(n); ok {
				r.Start, r.End = start, end
				out = append(out, r)
			}
		}
	}
	return out
}

// Names returns the names of texts in what was typed, by the table or given, and the words that are left without them.
func Names(typed string, names []naming.Given) (found []Reference, rest string) {
	found = slices.DeleteFunc(References(typed, names...), func(r Reference) bool { return !r.Alias || len(r.Articles) > 0 })
	rest = typed
	for _, r := range slices.Backward(found) {
		rest = rest[:r.Start] + rest[r.End:]
	}
	return found, rest
}

// Begun returns the names of texts that begin with what was typed, at least three letters.
func Begun(typed string, names []naming.Given) (out []naming.Given) {
	folded := law.Fold(strings.TrimSpace(typed))
	if len(folded) < leastBegun {
		return nil
	}
	for key, a := range aliasTable() {
		if strings.HasPrefix(key, folded) {
			names = append(slices.Clip(names), naming.Given{Name: a.written})
		}
	}
	for _, n := range names {
		if strings.HasPrefix(law.Fold(n.Name), folded) && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	slices.SortFunc(out, func(a, b naming.Given) int { return strings.Compare(law.Fold(a.Name), law.Fold(b.Name)) })
	return out
}

// leastBegun is the least number of letters for completing a name: too many names begin with fewer.
const leastBegun = 3
