package amend

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/law/read"
)

// textNouns are the nouns that the name of a text begins with, and their types.
var textNouns = map[string]law.DocType{
	"code": law.Code, "loi": law.Loi, "ordonnance": law.Loi, "decret": law.Decret, "arrete": law.Arrete, "constitution": law.Constitution,
	"decret-loi": law.Loi, "dahir": law.Loi, "circulaire": law.Circulaire, "reglement": "", "traite": "", "acte": "", "convention": "",
	"livre": law.Code, "texte": "", "accord": "", "protocole": "", "charte": "", "statut": "", "statuts": "", "decision": "", "instruction": law.Circulaire,
}

// text reads the name of a text: « code de commerce », « loi n° 2010-05 du 3 mai 2010
// relative aux … », « même code » (same), « code précité ».
func (p *parser) text(i int, same bool) (t TargetText, next int, ok bool) {
	noun := p.word(i)
	kind, ok := textNouns[noun]
	if !ok {
		return TargetText{}, i, false
	}
	next = i + 1
	if same || p.word(i-1) == "ledit" || p.word(i-1) == "ladite" || p.word(i-1) == "dudit" || p.word(i-1) == "audit" {
		return p.mem.textLike(noun, kind), next, true
	}
	if w := p.word(i - 1); w == "ce" || w == "cet" || w == "cette" {
		if t = p.mem.textLike(noun, kind); t.Zero() {
			t.Self, t.Type = true, kind
		}
		return t, next, true
	}
	if p.take(&next, "<past>") {
		if t = p.mem.textLike(noun, kind); !t.Zero() || !p.is(next, "n|no|n°*") { // « le décret précité n° 5 »
			return t, p.skip(next, "n|no °? <any>"), true
		}
	}
	if refs := read.Printed(p.source[p.toks[i].start:min(len(p.source), p.toks[i].start+200)]); len(refs) > 0 && refs[0].Number != "" && (refs[0].Start == 0 ||
		p.word(next) == "portant" && p.after(p.toks[i].start+refs[0].Start) == next+1) { // « dahir portant loi n° 1-74-338 »
		next = p.titleEnd(p.after(p.toks[i].start + refs[0].End))
		return TargetText{Title: nameIn(p.source[p.toks[i].start:p.toks[next-1].end]), Type: refs[0].Type, Number: refs[0].Number}, next, true
	}
	if w := p.word(next); w == "abroge" || w == "remplace" { // « le règlement abroge … »
		return TargetText{Self: true, Type: kind}, next, true
	}
	end := p.nameEnd(next, kind != law.Code)
	if kind != law.Code && end > next {
		if _, _, _, dated := law.FindDate(p.source[p.toks[i].start:p.toks[end-1].end]); dated {
			end = p.titleEnd(next)
		}
	}
	if t = p.mem.textLike(noun, kind); end == next && kind != law.Constitution && !t.Zero() && p.is(next, "<done>") { // « l'article 5 de la loi est modifié »
		return t, next, true
	}
	if end == next && (kind != law.Constitution || unicode.IsLower(firstRune(p.source[p.toks[i].start:]))) { // « la constitution d'une société »
		return TargetText{}, i, false
	}
	return TargetText{Type: kind, Title: nameIn(p.source[p.toks[i].start:p.toks[end-1].end])}, end, true
}

// asideInName matches what an act adds to the name of a text.
var asideInName = law.Pattern(`(?i),? *\bmodifiée?s?(?: +et +complétée?s?)? +par\b.*$|,? *\btell?e?s? +(?:que|qu'\pL+)\b.*$|,? *\b(?:sus~?visée?|sus~?mentionnée?|précitée?|prémentionnée?|ci~dessus(?: +visée?)?)(?:$|[ ,])|,? *\bmodifiée?(?: +et +complétée?)? *$|,? *\bmodifiée?(?: +et +complétée?)?,`)

// nameIn returns the name of a text without what an act adds to it.
func nameIn(printed string) string {
	return strings.Trim(strings.Join(strings.Fields(asideInName.ReplaceAllString(printed, "")), " "), " ,;.")
}

// endings are what comes after the title of a text that is named by number. Titles have commas and verbs of their own.
const endings = ":|;|il|devient|deviennent|lire|lisez / comme suit / ainsi qu* il|elle? suit / <be> respectivement? <verb> / <done> / sera|seront <published> / <tenor> / ,? tel|telle|tels|telles qu* / sauf / <except> / ou ils|elles|il|elle|y+? <found>"

// titleEnd returns the token after the title of a text that is named by number, which goes on from token i: up to the verb, quoted
// words, or a further place.
func (p *parser) titleEnd(i int) int {
	for ; i < len(p.toks); i++ {
		switch {
		case p.is(i-1, "<naming> <quote>"):
			continue
		case p.is(i, "<quote>"), p.is(i, endings):
			return i
		case p.word(i) == ".":
			if r := firstRune(strings.TrimLeftFunc(p.source[p.toks[i].end:], blankOrInvisible)); r == utf8.RuneError || unicode.IsUpper(r) {
				return i
			}
		case !p.is(i-1, "<prep>") && (p.placeAfterTitle(i) || p.is(i, "les|un|l' article|articles <number>")):
			return i
		case p.is(i, ",|et"):
			if k := p.participles(i); k > i {
				if k == len(p.toks) || p.is(k, ".|<done>") || p.is(k+1, "<done>|susvis*") {
					return i
				}
				i = k - 1
				continue
			}
			if next, _ := p.joint(i); p.elementFollows(next) || p.is(next, "<worded>") || p.is(next, "entre en") || p.is(next-1, "et <verb>") {
				return i
			}
		}
	}
	return i
}

// placeAfterTitle reports whether a place or an addition begins at token i, after the title of a text: « un nouveau paragraphe », « le
// paragraphe (7) ». « Un article 5 » is read by titleEnd, « un article du code » is of the title.
func (p *parser) placeAfterTitle(i int) bool {
	if p.is(i, "un|une|le|la|les|l'|se nouv* <level>|<point>|<division>|article|articles / un|une <level>|<point>|<division>") {
		return true
	}
	next, ok := p.match(i, "le|la|les|l'|se actuel|actuelle? <level>|<point>")
	if !ok {
		return false
	}
	_, _, labeled := p.label(next)
	return labeled
}

// participles returns the token after « , modifié et complété » at token i, if the aside ends there; i if there is none.
func (p *parser) participles(i int) int {
	if next, ok := p.match(i, ", <participle>+"); ok && (next == len(p.toks) || p.is(next, ",|.|<done>")) {
		return next
	}
	return i
}

// elementFollows reports whether a further part of the instruction begins at token i: quoted words, a neighbor, a place, or what is
// added: « , un article 5 bis ».
func (p *parser) elementFollows(i int) bool {
	return p.placeFollows(i) || p.is(i, "entre <words> / <count> nouve*? <level>|article|articles / <words> / au lieu de / a compter / a <any> fin")
}

// numbered reports whether the number or the day of a text follows its noun at token i: « le décret n° 66-1081 ».
func (p *parser) numbered(i int) bool { return p.is(i, "<kind> n|no|n°* / <kind> du <date>") }

// nameEnd returns the token after the name of a text, which goes on from token i: up to a verb, a sign, or a joint with a further
// place. long allows what titles of laws contain.
func (p *parser) nameEnd(i int, long bool) int {
	for ; i < len(p.toks); i++ {
		if p.is(i, "<quote>|,|:|;|.|est|sont|il|avant|apres|prend|prennent|sera|seront|aura|auront|devient|deviennent|un|une|article|articles|nouvel|comme|tel|telle|precite|precitee|susvise|susvisee|<tenor>") {
			return i
		}
		switch {
		case p.is(i, "<division>") && i > 0 && !p.is(i-1, "<prep>|le|la|les|l'"): // « le titre VI du code pénal livre II »
			if _, _, ok := p.division(i); ok && p.at(i+1) >= 0 {
				return i
			}
		case p.is(i, "le <date>"): // « signé à Port-Louis le 17 octobre 1993 »
			i = p.skip(i, "le <date>") - 1
		case p.is(i, "le|la|les|l'"):
			if !p.is(i-1, "<prep>") {
				return i
			}
		case p.is(i, "et|ou|ainsi"):
			if next, ok := p.joint(i); !ok || p.placeFollows(next) || p.is(next, "<verb>") {
				return i
			}
		case !long && p.is(i, "au|aux|a|(|)|complete|completee|modifie|modifiee|dans|issu|issue|annexe|annexee"):
			return i
		}
	}
	return i
}

// placeFollows reports whether a place of an instruction, with its preposition, is at token i.
func (p *parser) placeFollows(i int) bool {
	if p.is(i, "il|apres|avant / celle|celles|celui|ceux <of> / <the>|<in>|<of> article|articles|meme|mot|mots|reference|code|loi|<division>") {
		return true
	}
	for _, want := range []string{"<the>", "<in>", "<of>"} {
		next, ok := p.match(i, want)
		if !ok {
			continue
		}
		_, _, place := p.ordinals(next, false)
		_, _, label := p.label(next)
		if place || label || want == "<the>" && p.numbered(next) {
			return true
		}
	}
	return false
}

// memory holds what « même » refers to.
type memory struct {
	texts   []TargetText // the texts named, the last one at the end; no text twice
	article spot         // the article named last
	place   spot         // the place named last
	home    TargetText   // text meant where an excerpt names none
}

func (m *memory) remember(t TargetText) {
	if t.Zero() || t.Self {
		return
	}
	for i, o := range m.texts {
		if o == t || t.Number != "" && o.Number == t.Number && o.Type == t.Type {
			if len(o.Title) > len(t.Title) {
				t = o // the full title was given at first
			}

			m.texts = append(m.texts[:i], m.texts[i+1:]...)
			break
		}
	}
	const kept = 8
	if len(m.texts) >= kept {
		m.texts = m.texts[1:]
	}
	m.texts = append(m.texts, t)
}

// textLike returns the text that was named last among those that the noun fits; the home
// text if there is none.
func (m *memory) textLike(noun string, kind law.DocType) TargetText {
	for i := len(m.texts) - 1; i >= 0; i-- {
		t := m.texts[i]
		if t.Type == kind || kind == "" && strings.HasPrefix(law.Fold(t.Title), noun) {
			return t
		}
	}
	return m.home
}

// changedBy returns the text that an act changes by its title: « Loi n° 2020-05 du 10 janvier 2020 modifiant la loi n° 65-60 … ».
func changedBy(title string) TargetText {
	p := parser{source: title, mem: &memory{}}
	p.toks = tokens(title, 0, nil)
	for i := range p.toks {
		w := p.word(i)
		if !strings.HasPrefix(w, "modifi") && !strings.HasPrefix(w, "complet") && !strings.HasPrefix(w, "abroge") && !strings.HasPrefix(w, "revis") && !strings.HasPrefix(w, "amend") && w != "rapportant" && w != "rectificatif" && !(w == "abrogation" && p.word(i-1) == "portant") {
			continue
		}
		if p.word(i) == "revision" && p.word(i+1) == "constitutionnelle" {
			return TargetText{Type: law.Constitution, Title: "Constitution"}
		}
		for k := i + 1; k < len(p.toks); k++ {
			if _, known := textNouns[p.word(k)]; !known {
				continue
			}
			if t, _, ok := p.text(k, false); ok {
				return t
			}
		}
	}
	return TargetText{}
}

// enacts reports whether a text is named by the number of the act that made it a code: « loi
// n° 66-27 portant promulgation du code du travail ».
func (t TargetText) enacts(other TargetText) bool {
	if t.Number == "" || other.Number != "" {
		return false
	}
	title, _, _ := strings.Cut(other.Title, " (")
	named, whole := wordsOf(title).text, wordsOf(afterTitle.ReplaceAllString(t.Title, "")).text
	return (len(named) > 1 || other.Type == law.Constitution) && len(whole) > len(named) && slices.Equal(whole[len(whole)-len(named):], named) && !changesText.MatchString(t.Title)
}

// afterTitle matches what may follow the title of a text: « , telle que modifiée », « (Tunisie) ».
var afterTitle = law.Pattern(`(?i)(?: *\([^()]*\)|,? *(?:telle que )?modifiée?\b.*|,? *(?:ensemble|révisée?)\b.*)$`)

// changesText matches the title of an act that changes the text that its title ends with.
var changesText = law.Pattern(`(?i)\b(?:modifiant|complétant|abrogeant|amendant|modification|révision|application|abrogation)`)

// dayIn returns the day in the title of a text.
func dayIn(title string) (time.Time, bool) {
	day, _, _, ok := law.FindDate(title)
	return day, ok
}

// Fits reports whether two names may be those of one text. Texts with numbers are compared
// by them, others by the words of their titles: the words of one must be among those of the
// other, in order, from the beginning on. A name that says nothing fits every text.
func (t TargetText) Fits(other TargetText) bool {
	switch {
	case t.Zero() || other.Zero():
		return true
	case t.Self || other.Self:
		return t.Self == other.Self
	case t.Number != "" && other.Number != "":
		return t.Number == other.Number && (t.Type == other.Type || t.Type == "" || other.Type == "")
	case t.Title == "" || other.Title == "":
		return false
	case t.enacts(other) || other.enacts(t):
		return true
	}
	if day, ok := dayIn(t.Title); ok && t.Type == other.Type {
		if moment, ok := dayIn(other.Title); ok { // « loi modifiée du 10 août 1915 »
			return day.Equal(moment) && alikeAfterDay(t.Title, other.Title)
		}
	}
	a, b := wordsOf(t.Title).text, wordsOf(other.Title).text
	if len(a) > len(b) {
		a, b = b, a
	}
	k := 0
	for _, w := range b {
		if k < len(a) && a[k] == w {
			k++
		}
	}
	return k == len(a) && len(a) > 0 && a[0] == b[0]
}

// alikeAfterDay reports whether what two titles say after their day may be the same: one says nothing, or more of the
// terms of the shorter one are in the other than not. Two laws may be of one day.
func alikeAfterDay(a, b string) bool {
	following := func(title string) []string {
		_, _, end, _ := law.FindDate(title)
		return french.Terms(title[end:])
	}
	x, y := following(a), following(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	shared := 0
	for _, w := range x {
		if slices.Contains(y, w) {
			shared++
		}
	}
	return 2*shared > len(x) || len(x) == 0
}

// Equal reports whether two names are those of one text: they have the same number, or the
// same type and day, or the same words. A country in parentheses does not count.
func (t TargetText) Equal(other TargetText) bool {
	plain := func(t TargetText) []string {
		title, _, _ := strings.Cut(t.Title, " (")
		return wordsOf(title).text
	}
	return !t.Zero() && !other.Zero() && t.Fits(other) && (t.enacts(other) || other.enacts(t) || t.Number != "" && other.Number != "" || slices.Equal(plain(t), plain(other)) || sameDay(t, other))
}

func sameDay(t, other TargetText) bool {
	day, ok := dayIn(t.Title)
	moment, okOther := dayIn(other.Title)
	return ok && okOther && day.Equal(moment)
}
