package amend

import (
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
)

// A form is how folded words follow one another in an instruction. « a|b » is one of several words, « a? » one that may be
// left out, « a+? » one that may come any number of times; « rempl* » is any word that begins so, « vise~ » a participle in any
// number and gender, « mot(s) » a noun in any number. « <…> » is what the form of grammar with the name reads, or the method read. The sequences of a form
// are parted by « / », and the first one that fits is taken.

// grammar are the forms that others are made of.
var grammar = map[string]string{
	"the":       "le|la|les|l'|ledit|ladite|lesdits|lesdites|cet|ce|cette|ces",
	"in":        "dans|a l' ensemble|integralite <of> / au sein <of> / au|aux|audit|auxdits / a|dans|en|sous <the> / a chacun|chaque|ses / dans tous|toutes les / dans tout|toute le|la",
	"own":       "en|dans|a son|sa|ses|leur|leurs",
	"of":        "du|des|dudit|desdits / de <the>",
	"joint":     ",? et|ou / ,? ainsi que|qu' / ,",
	"be":        "est|sont|sera|seront a|de nouveau / est|sont|sera|seront",
	"auxiliary": "<be>|ainsi|soit|demeurent|demeure|egalement|expressement|desormais / et demeure*",
	"done":      "<be> ainsi|egalement|expressement|desormais|et|demeure|demeurent+? <verb>",
	"tenor":     "se lit|lisent|lira|liront desormais? / prend|prennent|prendra|prendront|a|ont|aura|auront la teneur / recoit|recoivent|recevra|recevront|prend|prennent la|une <new>? teneur|redaction <new>?",
	"such":      "suivant|suivante|suivants|suivantes|ci-apres",
	"text-of":   "facon|maniere|sorte|termes|forme|redaction|teneur|texte|sens",
	"new":       "nouvel|nouveau|nouveaux|nouvelle|nouvelles|autre",
	"past":      "precite~|susvise~|sus-vise~|susmentionne~|sus-mentionne~|susindique~ / ci-dessus vise~",
	"except":    "a l' exception|exclusion",
	"naming":    "denomme~|nomme~|appele~|designe~|intitule~|dit~",
	"mentioned": "mentionne~|vise~|prevu~|cite~|enonce~|enumere~|figurant",
	"published": "publi*|execut*|enregistr*|inser*|communiqu*|notifi*",
	"prep":      "de|d'|du|des|a|au|aux|dans|par|sur|pour|et|en|contre|entre",
	"division":  "livre(s)|titre(s)|chapitre(s)|section(s)|sous-section(s)|partie(s)|annexe(s)|sous-titre(s)|sous-paragraphe(s)",
	"point":     "point(s)|paragraphe(s)|§|numero(s)|lettre(s)|littera(s)|litera(s)|item(s)",
	"noun": "mot(s)|reference(s)|nombre(s)|chiffre(s)|taux|tau|montant(s)|annee(s)|date(s)|signe(s)|somme(s)|pourcentage(s)|terme(s)|expression(s)|membre(s)|mention(s)|quantite(s)|" +
		"millesime(s)|duree(s)|numero(s)|valeur(s)|coefficient(s)|intitule(s)|symbole(s)|bout(s)|partie(s)|lettre(s)",
	"noun-too":    "et <the>? <noun>",
	"phrase":      "de <noun>|phrase",
	"participle":  "<changed> et?",
	"in-force":    "en vigueur / effet",
	"nth":         "<the> <ordinal> occurrence <of>",
	"action":      "remplacement(s)|substitution(s)|suppression(s)|abrogation(s)|retrait(s)|insertion(s)|ajout(s)|addition(s)|adjonction(s)",
	"found":       "figure|figurent|apparait|apparaissent|existe|existent|est|sont",
	"whole":       "disposition(s)|texte|redaction|titre|intitule|article(s)",
	"substituted": ",? il? <be>? substitue~ <words>|<quote>",
	"manner":      "de|dans la|les|le <text-of> suivant*|ci-apres",
}

// form is a form as it is read: sequences of elements.
type form [][]element

// element is one of several words.
type element struct {
	words       []atom
	maybe, more bool
}

// atom is a word, the beginning of words, or a class.
type atom struct {
	text string
	kind byte // '*', '~', ')' or '<'; 0: the word itself
	form form // of a class that grammar has
}

// forms are those that were read, by their text.
var forms atomic.Pointer[map[string]form]

// formOf reads a form.
func formOf(text string) form {
	known := forms.Load()
	if known != nil && (*known)[text] != nil {
		return (*known)[text]
	}
	var f form
	for sequence := range strings.SplitSeq(text, " / ") {
		var list []element
		for part := range strings.FieldsSeq(sequence) {
			e := element{}
			part, e.maybe = strings.CutSuffix(part, "?")
			part, e.more = strings.CutSuffix(part, "+")
			for text := range strings.SplitSeq(part, "|") {
				w := atom{text: text}
				switch last := len(text) - 1; {
				case text[0] == '<':
					w.text, w.kind = text[1:last], '<'
					if form := grammar[w.text]; form != "" {
						w.form = formOf(form)
					}
				case text[last] == '*' || text[last] == '~':
					w.text, w.kind = text[:last], text[last]
				case strings.HasSuffix(text, "(s)"):
					w.text, w.kind = strings.TrimSuffix(text, "(s)"), ')'
				}
				e.words = append(e.words, w)
			}
			list = append(list, e)
		}
		f = append(f, list)
	}
	more := map[string]form{text: f}
	if known != nil {
		maps.Copy(more, *known)
	}
	forms.Store(&more) // what another one stores at the same time is read again
	return f
}

// begins calls yield with the words that a form may begin with.
func (f form) begins(yield func(atom)) {
	for _, sequence := range f {
		for _, e := range sequence {
			for _, a := range e.words {
				if a.form != nil {
					a.form.begins(yield)
				} else {
					yield(a)
				}
			}
			if !e.maybe {
				break
			}
		}
	}
}

// starts are the productions that may begin with a word, a bit each: by the word itself, by its stem, and those of any word.
type starts struct {
	exact map[string]uint64
	stems map[string]uint64
	any   uint64
}

var started = sync.OnceValue(func() starts {
	s := starts{exact: map[string]uint64{}, stems: map[string]uint64{}}
	for i, production := range productions {
		bit := uint64(1) << i
		if production.form == "" {
			s.any |= bit
		}
		formOf(production.form).begins(func(a atom) {
			switch a.kind {
			case '<':
				s.any |= bit
			case '*':
				s.stems[a.text] |= bit
			case '~':
				s.exact[a.text+"e"] |= bit
				s.exact[a.text+"es"] |= bit
				fallthrough
			case ')':
				s.exact[a.text+"s"] |= bit
				fallthrough
			default:
				s.exact[a.text] |= bit
			}
		})
	}
	return s
})

// of returns the productions that may begin with a word.
func (s starts) of(word string) uint64 {
	set := s.any | s.exact[word]
	for stem, more := range s.stems {
		if strings.HasPrefix(word, stem) {
			set |= more
		}
	}
	return set
}

// captured is what the classes of a form have read.
type captured struct {
	count, nth int
	words      []string
	list       []spot
	day        time.Time
}

// match reads a form at token i and returns the token after it.
func (p *parser) match(i int, text string) (next int, ok bool) { return p.fit(i, formOf(text)) }

func (p *parser) fit(i int, f form) (next int, ok bool) {
sequences:
	for _, sequence := range f {
		next = i
		for k := range sequence {
			e := &sequence[k]
			n, ok := p.oneOf(next, e)
			if !ok && !e.maybe {
				continue sequences
			}
			for ; ok && n > next; n, ok = p.oneOf(next, e) {
				if next = n; !e.more {
					break
				}
			}
		}
		return next, true
	}
	return i, false
}

func (p *parser) oneOf(i int, e *element) (next int, ok bool) {
	text := p.word(i)
	for _, w := range e.words {
		switch {
		case w.form != nil:
			next, ok = p.fit(i, w.form)
		case w.kind == '<':
			next, ok = p.class(i, w.text)
		case w.kind == 0:
			next, ok = i+1, text == w.text
		default:
			ending, begins := strings.CutPrefix(text, w.text)
			next, ok = i+1, begins && (w.kind == '*' || ending == "" || ending == "s" || w.kind == '~' && (ending == "e" || ending == "es"))
		}
		if ok {
			return next, true
		}
	}
	return i, false
}

// class reads what a class names: words by their meaning, or a form of grammar.
func (p *parser) class(i int, name string) (next int, ok bool) {
	word := p.word(i)
	switch name {
	case "verb":
		ok = verbOf(word) != noVerb
	case "any":
		ok = i < len(p.toks)
	case "letters":
		ok = p.at(i) >= 0 && wordRune(firstRune(word))
	case "year":
		ok = len(word) == 4 && isNumber(word)
	case "changed":
		ok = verbOf(word) == modifies || verbOf(word) == completes
	case "repealed":
		ok = verbOf(word) == deletes
	case "worded":
		ok = verbOf(word) == rewrites
	case "count":
		if p.got.count, ok = french.CountOf(word); !ok {
			return i, false
		}
	case "ordinal":
		if p.got.nth, ok = ordinalOf(word); !ok {
			return i, false
		}
	case "level":
		_, ok = levelOf(word)
	case "sentence":
		level, isLevel := levelOf(word)
		ok = isLevel && level == Sentence
	case "kind":
		_, ok = textNouns[word]
	case "number":
		ok = p.at(i) >= 0 && startsNumber(p.source[p.at(i):])
	case "quote":
		if ok = i < len(p.toks) && p.toks[i].quote >= 0; ok {
			p.got.words = []string{p.quotes[p.toks[i].quote].Words}
		}
	case "words":
		p.got.words, next = p.quotedAt(i)
		return next, next > i
	case "places", "in-places", "of-places":
		p.got.list, next, ok = p.spots(i, map[string]string{"places": "<the>", "in-places": "<in>", "of-places": "<of>"}[name])
		return next, ok
	case "date":
		if p.at(i) >= 0 {
			if day, n, ok := law.DateAt(p.source[p.at(i):]); ok {
				p.got.day = day
				return p.after(p.at(i) + n), true
			}
		}
	}
	return i + 1, ok
}

// is reports whether a form is at token i.
func (p *parser) is(i int, form string) bool { _, ok := p.match(i, form); return ok }

// skip returns the token after a form at token i, i if it is not there.
func (p *parser) skip(i int, form string) int {
	next, _ := p.match(i, form)
	return next
}

// take moves i beyond a form, if it is there.
func (p *parser) take(i *int, form string) (ok bool) {
	*i, ok = p.match(*i, form)
	return ok
}

// until returns the first token from i on where a form is, of at most so many and before any quotation; -1 if there is none.
func (p *parser) until(i, most int, form string) int {
	for k := i; k < len(p.toks) && k < i+most && p.toks[k].quote < 0; k++ {
		if p.is(k, form) {
			return k
		}
	}
	return -1
}
