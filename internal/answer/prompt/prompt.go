// Package prompt turns the result of a search into the input of a generator: numbered
// passages, what is known about each, and the verdict of the search.
package prompt

import (
	"slices"
	"time"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/search/retrieve"
)

// Passages returns the hits of a result as the numbered passages of a prompt; the first is
// [1]. Parts of their text that look like such a number are rewritten (law.Unmarked).
func Passages(r *retrieve.Result) []llm.Passage {
	var asked []country.Code
	if r.Asked != nil {
		asked = r.Asked.AskedCountries()
	}
	out := make([]llm.Passage, len(r.Hits))
	for i, h := range r.Hits {
		out[i] = llm.Passage{N: i + 1, Title: law.RemoveMarks(h.Document.Title), Type: h.Document.Type, Number: h.Document.OfficialNumber,
			Article: h.Article.Number, Heading: law.RemoveMarks(h.Article.Heading), Path: h.Article.Path, Text: law.RemoveMarks(h.Text()), Score: h.Score,
			Named: h.Mode == retrieve.ByReference, Readable: h.Readable, Record: h.Record}
		if slices.ContainsFunc(r.Hits, func(o retrieve.Hit) bool { return sameName(h, o) }) {
			out[i].Edition = law.WriteDate(dayOf(h))
		}
		out[i].Apart = h.Mode != retrieve.ByReference && !h.Support &&
			(!country.Fits(asked, h.Countries) || len(asked) > 0 && h.Unplaced() && h.Document.ID != r.Hits[0].Document.ID ||
				slices.ContainsFunc(r.Hits[:i], func(o retrieve.Hit) bool { return sameName(h, o) && o.Article.Number == h.Article.Number }))
		if len(h.Countries) == 1 && !h.Guessed {
			out[i].Home = country.Name(h.Countries[0])
		}
		out[i].State = stateOf(h.Document)
		if r.Asked != nil && (len(asked) == 0 || r.Asked.Compares()) {
			out[i].Country = out[i].Home
		}
		if out[i].Support = h.Support; h.Assembled != nil {
			out[i].Assembled = describeAssembled(h, r.Hits)
		}
		if w := h.Article.Wording; w != nil {
			out[i].Article = w.Number
			out[i].New = &llm.New{Of: law.RemoveMarks(w.TargetTitle), Part: w.Part, By: w.WithinNumber, Verb: w.Replaced().By()}
		}
	}
	return out
}

// stateOf says since when a text is in force, and what became of it.
func stateOf(d law.Document) string {
	state := "en vigueur depuis le " + law.WriteDate(d.EntersInForce)
	switch d.Status {
	case law.Repealed:
		return "abrogé"
	case law.Amended:
		state += ", modifié depuis"
	}
	if d.AsOf != nil {
		state = "consolidé au " + law.WriteDate(*d.AsOf)
	}
	return state
}

// sameName reports whether two hits are of different texts of one name: two constitutions of a country, two editions of a
// code.
func sameName(a, b retrieve.Hit) bool {
	return a.Document.ID != b.Document.ID && law.Fold(a.Document.Title) == law.Fold(b.Document.Title) &&
		a.Document.OfficialNumber == b.Document.OfficialNumber && slices.Equal(a.Countries, b.Countries) && !dayOf(a).Equal(dayOf(b))
}

// dayOf returns the day of the edition of a hit, else that of its text.
func dayOf(h retrieve.Hit) time.Time {
	if h.Document.AsOf != nil {
		return *h.Document.AsOf
	}
	return h.Document.Promulgated
}

// describeAssembled says which act made the wording of a hit, and which hits are its articles.
func describeAssembled(h retrieve.Hit, hits []retrieve.Hit) *llm.Assembled {
	out := &llm.Assembled{Title: law.RemoveMarks(h.Assembled.Title)}
	for _, e := range h.Assembled.Evidence {
		if e.Number != "" && !slices.Contains(out.By, e.Number) {
			out.By = append(out.By, e.Number)
		}
	}
	for _, id := range h.Amending() {
		if pos := slices.IndexFunc(hits, func(o retrieve.Hit) bool { return o.Article.ID == id }); pos >= 0 {
			out.N = append(out.N, pos+1)
		}
	}
	return out
}

// Of returns the prompt for a question and what was found for it.
func Of(r *retrieve.Result, question string) llm.Prompt {
	p := llm.Prompt{Question: question, Asked: r.Asked, Date: r.Day, Missing: r.Missing, Passages: Passages(r),
		Verdict: r.Verdict, Country: country.Name(r.Country)}
	for _, c := range r.OtherCountries {
		p.Others = append(p.Others, country.Name(c))
	}
	return p
}
