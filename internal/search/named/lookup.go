package named

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/law/naming"
	"vigueur/internal/search/question"
	"vigueur/internal/store/postgres"
)

const (
	// MostTexts is the maximum number of texts with one number that a mention has: there may be an « arrêté n° 12 » of
	// each year and authority.
	MostTexts = 100
	// mostAlike is the maximum number of texts that are read among those that a name fits equally well. If more than
	// mostOfName fit, the name means none; the others are read for rules that prefer some of them.
	mostAlike = 30
	// mostStale is the maximum number of texts that are compared one by one because they lack current keys. Reading
	// them takes some 50 ms.
	mostStale = 4000
)

// Lookup finds texts of a source for one question, and reads each reference and each text once. It is not safe for
// concurrent use.
type Lookup struct {
	source     Source
	most       int                    // the maximum number of texts without current keys that are compared one by one
	stale      *staleKeys             // nil until it is read
	candidates map[string][]Candidate // by reference and countries
	texts      map[uuid.UUID]Candidate
	gone       map[uuid.UUID]bool
}

// NewLookup returns a lookup for one question.
func NewLookup(source Source) *Lookup {
	return &Lookup{source: source, most: mostStale, candidates: make(map[string][]Candidate), texts: make(map[uuid.UUID]Candidate), gone: make(map[uuid.UUID]bool)}
}

// lookUp returns the texts that a reference in a question means, the likeliest first, and texts that have its name,
// among which these are. asked are the countries that the question names; if there are any, only their law is meant, or that
// of the countries that the reference itself names. The second result is empty only if no text has the name.
func (l *Lookup) lookUp(ctx context.Context, r question.Reference, asked []country.Code) (meant, named []Candidate, err error) {
	asked = r.AskedCountries(asked)
	candidates, err := l.candidatesFor(ctx, r, asked)
	if err != nil {
		return nil, nil, err
	}
	named = byName(candidates, r)
	return meantAmong(named, r, asked), named, nil
}

// candidatesFor returns texts from which the rules select the same ones as from all texts.
//
// The rules go from the strictest to the widest. The first rule that any text of any country fits decides; then the
// countries select among the texts that fit it. So the candidates are the texts of the countries that fit this rule,
// and one text of any country that fits it, which stops the search from trying the next rule.
func (l *Lookup) candidatesFor(ctx context.Context, r question.Reference, asked []country.Code) ([]Candidate, error) {
	key := fmt.Sprintf("%q %d %v %s %q", asked, r.Year, r.Date, r.Type, []string{r.Number, r.Title, r.Phrase, strconv.FormatBool(r.Draft)})
	if known, ok := l.candidates[key]; ok {
		return known, nil
	}
	most := postgres.NameQuery{Most: mostAlike}
	if r.Number != "" {
		most = postgres.NameQuery{Most: MostTexts + 1, Ordered: true}
	}
	found, err := l.findAlsoStale(ctx, widest(r), func(keysOf postgres.KeysOf) ([]Candidate, error) {
		ways, err := l.ways(ctx, r, keysOf)
		if err != nil {
			return nil, err
		}
		most.Keys = keysOf
		return l.firstWay(ctx, ways, asked, most, func(t Candidate) bool { return calledSo(t, r) })
	})
	if err != nil {
		return nil, err
	}
	l.candidates[key] = found
	return found, nil
}

// firstWay returns the texts of the first of the ways (lists of keys) that any texts fit: those of the countries, those
// of no country, and one of any. It asks for all ways at once, because the round trip takes longer than the query.
// Texts must also be good, which checks what keys do not contain.
func (l *Lookup) firstWay(ctx context.Context, ways [][]string, asked []country.Code, most postgres.NameQuery, good func(Candidate) bool) ([]Candidate, error) {
	var queries []postgres.NameQuery
	for _, way := range ways {
		queries = append(queries, fittingQueries(way, asked, most)...)
	}
	if len(queries) == 0 {
		return nil, nil
	}
	lists, err := l.source.NamedBy(ctx, queries...)
	if err != nil {
		return nil, err
	}
	way := 0
	for each := range slices.Chunk(lists, len(queries)/len(ways)) {
		var found []Candidate
		for _, n := range slices.Concat(each...) {
			// Keys of another version may belong to a former name.
			if t := l.cacheText(n); most.Keys == postgres.KeysOfThis || holds(nameOf(n).Keys(), ways[way]) {
				found = append(found, t)
			}
		}
		if found = keepGood(found, good); len(found) > 0 {
			return inOrder(found), nil
		}
		way++
	}
	return nil, nil
}

// fittingQueries returns queries for the texts that have all the keys: those of the countries, those of no country,
// and one of any.
func fittingQueries(keys []string, asked []country.Code, most postgres.NameQuery) []postgres.NameQuery {
	most.All = keys
	if len(asked) == 0 {
		return []postgres.NameQuery{most}
	}
	own, silent := most, most
	own.Any = naming.Fitting(asked)
	silent.All = append(slices.Clone(keys), naming.Silent)
	whose := postgres.NameQuery{All: keys, Most: most.Most, Keys: most.Keys}
	if most.Ordered && most.Keys == postgres.KeysOfThis {
		whose.Most = 1 // other queries need more, because their first text may not be good
	}
	return []postgres.NameQuery{own, silent, whose}
}

// inOrder sorts texts by their ids and removes duplicates.
func inOrder(texts []Candidate) []Candidate {
	slices.SortFunc(texts, byIDs)
	return slices.CompactFunc(texts, func(a, b Candidate) bool { return a.Document.ID == b.Document.ID })
}

func byIDs(a, b Candidate) int {
	return strings.Compare(string(a.Document.ID[:]), string(b.Document.ID[:]))
}

// Know reads texts in advance that will be needed one by one.
func (l *Lookup) Know(ctx context.Context, ids ...uuid.UUID) error {
	var wanted []uuid.UUID
	for _, id := range ids {
		if _, known := l.texts[id]; !known && !l.gone[id] {
			wanted = append(wanted, id)
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	found, err := l.source.TextsNamed(ctx, wanted)
	if err != nil {
		return err
	}
	for _, n := range found {
		l.cacheText(n)
	}
	for _, id := range wanted {
		if _, known := l.texts[id]; !known {
			l.gone[id] = true
		}
	}
	return nil
}

// ByID returns the text with an id, false if the catalogue does not have it.
func (l *Lookup) ByID(ctx context.Context, id uuid.UUID) (Candidate, bool, error) {
	err := l.Know(ctx, id)
	t, ok := l.texts[id]
	return t, ok, err
}

// Known returns the text with an id if it has been read, else false.
func (l *Lookup) Known(id uuid.UUID) (Candidate, bool) {
	t, ok := l.texts[id]
	return t, ok
}

// OfStem returns the texts whose number has a stem, in the order of their ids.
func (l *Lookup) OfStem(ctx context.Context, stem string) ([]Candidate, error) {
	keys := []string{naming.Stem(stem)}
	return l.findAlsoStale(ctx, keys, func(keysOf postgres.KeysOf) ([]Candidate, error) {
		most := postgres.NameQuery{Most: MostTexts, Ordered: true, Keys: keysOf}
		return l.firstWay(ctx, [][]string{keys}, nil, most, func(Candidate) bool { return true })
	})
}

// anyOfYear reports whether the catalogue has a text of a year, of whatever type, that fits the countries.
func (l *Lookup) anyOfYear(ctx context.Context, year int, asked []country.Code) (bool, error) {
	keys := []string{naming.Year(year)}
	found, err := l.findAlsoStale(ctx, keys, func(keysOf postgres.KeysOf) ([]Candidate, error) {
		return l.firstWay(ctx, [][]string{keys}, asked, postgres.NameQuery{Most: 1, Keys: keysOf}, func(t Candidate) bool { return t.Fits(asked) })
	})
	return len(found) > 0, err
}

// cacheText caches a text that was read.
func (l *Lookup) cacheText(n postgres.NamedText) Candidate {
	t := CandidateOf(n)
	l.texts[t.Document.ID] = t
	return t
}

// widest returns the keys that every text that fits a reference has, nil if no text fits.
func widest(r question.Reference) (keys []string) {
	switch {
	case r.Number != "":
		if term := french.TextTerm(r.Number); term != "" {
			return append(calledKey(r.Type), naming.Stem(french.TextStem(term)))
		}
		return nil
	case r.Title != "":
		if terms, _ := country.Content(r.Title); len(terms) > 0 {
			return naming.Terms(terms)
		}
		return nil
	case !r.Date.IsZero():
		return append(calledKey(r.Type), naming.Day(r.Date))
	case r.Year != 0:
		keys = append(calledKey(r.Type), naming.Year(r.Year))
	}
	if r.Phrase == "" {
		return keys
	}
	terms, fewest := phrase(r)
	if len(terms) < fewest {
		return nil
	}
	return append(keys, naming.Terms(terms[:fewest])...)
}

// phrase returns the terms of a reference that may be a title, and how many of the first terms a title must contain.
func phrase(r question.Reference) (terms []string, fewest int) {
	if r.Year != 0 {
		return phraseTerms(r.Phrase), 1
	}
	return phraseTerms(r.Phrase), fewestTerms
}

// ways returns the lists of keys of texts that fit a reference, the strictest first.
func (l *Lookup) ways(ctx context.Context, r question.Reference, keysOf postgres.KeysOf) ([][]string, error) {
	keys := widest(r)
	switch {
	case keys == nil:
		return nil, nil
	case r.Number != "":
		return waysOfNumber(r), nil
	case r.Title != "":
		return waysOfTitle(r, keys), nil
	case !r.Date.IsZero(), r.Phrase == "":
		return [][]string{keys}, nil
	}
	terms, fewest := phrase(r)
	keys = keys[:len(keys)-fewest]
	n, err := l.longest(ctx, keys, terms, fewest, keysOf)
	if err != nil || n < fewest {
		return nil, err
	}
	keys = append(keys, naming.Terms(terms[:n])...)
	return plainFirst(keys), nil
}

// longest returns the greatest number of the first terms that a text with the keys has, less than fewest if there is
// none. It asks for all numbers in one round trip, from the greatest down: with more terms the rarest one is rarer,
// so that there is less to read.
func (l *Lookup) longest(ctx context.Context, keys, terms []string, fewest int, keysOf postgres.KeysOf) (int, error) {
	var queries []postgres.NameQuery
	for n := len(terms); n >= fewest; n-- {
		queries = append(queries, postgres.NameQuery{All: append(slices.Clone(keys), naming.Terms(terms[:n])...), Keys: keysOf})
	}
	first, err := l.source.FirstNamed(ctx, queries...)
	if err != nil || first < 0 {
		return fewest - 1, err
	}
	return len(terms) - first, nil
}

// waysOfNumber returns the ways of byNumber: texts of the same date before others, and with exactly the same number
// before those with other initials of authors.
func waysOfNumber(r question.Reference) (ways [][]string) {
	term := french.TextTerm(r.Number)
	stem := french.TextStem(term)
	same := naming.Stem(term) // a number without initials of authors fits texts with any initials
	if stem != term {
		same = naming.Number(stem) // one with initials also fits the text without them
	}
	for _, dated := range []bool{true, false} {
		for _, number := range []string{naming.Number(term), same} {
			way := append(calledKey(r.Type), number)
			switch {
			case dated && r.Date.IsZero():
				continue
			case dated:
				way = append(way, naming.Day(r.Date))
			}
			ways = append(ways, way)
		}
	}
	return ways
}

// waysOfTitle returns the ways of byTitle: texts of the type before others, and texts that amend last.
func waysOfTitle(r question.Reference, keys []string) (ways [][]string) {
	if r.Type != "" {
		ways = plainFirst(append(slices.Clone(keys), naming.Type(r.Type)))
	}
	return append(ways, plainFirst(keys)...)
}

func plainFirst(keys []string) [][]string {
	return [][]string{append(slices.Clone(keys), naming.Plain), keys}
}

func calledKey(kind law.DocType) []string {
	if kind == "" {
		return nil
	}
	return []string{naming.Called(kind)}
}

// staleKeys holds the texts whose keys are missing, or were made by another version of the program. There are few of
// them, except while a new version replaces the old one.
type staleKeys struct {
	keys  []ofKeys        // texts that are compared one by one
	keyed postgres.KeysOf // keys by which the others are found; KeysOfThis if there are no others
}

// ofKeys is a text with the keys that it should have.
type ofKeys struct {
	id   uuid.UUID
	keys []string
}

// findAlsoStale finds texts that have current keys with find, and also finds texts without current keys. widest holds
// the keys that every matching text has; it is nil if no text can match. find looks up texts in one of the sets of texts
// by keys.
//
// For a text without current keys, the keys that its name would get now are compared with widest. If there are too
// many such texts to compare, the texts with keys of another version of the program are looked up by these old keys.
// This finds a text whose name gets the same keys in both versions. Any other such text is found only after its keys
// are updated.
func (l *Lookup) findAlsoStale(ctx context.Context, widest []string, find func(keysOf postgres.KeysOf) ([]Candidate, error)) (found []Candidate, err error) {
	if widest == nil {
		return nil, nil
	}
	// Read these first, so that a text whose keys are updated in the meantime is found twice rather than never.
	late, err := l.readStale(ctx)
	if err != nil {
		return nil, err
	}
	if found, err = find(postgres.KeysOfThis); err != nil {
		return nil, err
	}
	if late.keyed != postgres.KeysOfThis {
		more, err := find(late.keyed)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	more, err := l.compareStale(ctx, late.keys, widest)
	return inOrder(append(found, more...)), err
}

// compareStale returns the texts that have all the given keys.
func (l *Lookup) compareStale(ctx context.Context, texts []ofKeys, keys []string) (found []Candidate, err error) {
	var ids []uuid.UUID
	for _, t := range texts {
		if holds(t.keys, keys) {
			ids = append(ids, t.id)
		}
	}
	if err := l.Know(ctx, ids...); err != nil {
		return nil, err
	}
	for _, id := range ids {
		if t, ok := l.texts[id]; ok {
			found = append(found, t)
		}
	}
	return found, nil
}

// readStale reads the texts without current keys, once for all references of a question.
func (l *Lookup) readStale(ctx context.Context) (staleKeys, error) {
	if l.stale != nil {
		return *l.stale, nil
	}
	late, err := l.source.Behind(ctx, l.most)
	if err != nil {
		return staleKeys{}, err
	}
	if late.Bare {
		return staleKeys{}, errs.New(errs.Unavailable, "Le catalogue est en cours de préparation. Réessayez plus tard, ou préparez-le : ingest migrate up")
	}
	l.stale = &staleKeys{keyed: late.Keyed}
	for _, t := range late.Texts {
		l.stale.keys = append(l.stale.keys, ofKeys{t.ID, t.Keys()})
	}
	return *l.stale, nil
}
