package segment

import (
	"slices"
	"strings"
	"time"

	"vigueur/internal/law"
)

// kind is what a text calls itself, and what that is to the catalogue.
type kind struct {
	label string // as a title begins: « Loi organique », « Arrêté interministériel »
	as    law.DocType
}

// head is the beginning of a text: « LOI N° 2023-07 DU 14 MARS 2023 portant … ».
type head struct {
	at       int // index of its first line
	lines    int // how many lines the title takes
	kind     kind
	author   string // « du ministre du commerce », « aux banques »
	number   string
	date     time.Time // zero: not printed there
	dated    string    // the date as printed
	above    string    // the line over the title that has it, where the title has none
	object   string    // « portant Code du travail »
	guessed  bool      // kind and number are those of the file's name
	trust    float64   // in what was read, 0: as printed
	sentence bool      // its first line goes on with a sentence of the text
	plural   bool      // « Arrêtés des 12 et 15 décembre »: a heading over several texts
	by       bool      // « Par arrêté du … »
	abridged bool      // « Par décret n° … du …, M. … est nommé »: no title is printed
	broken   bool      // more figures stand behind its number
	entitled bool      // the words behind an abridged name are a title's: « portant … »
	seen     bool      // by a person
	made     bool      // of a code: number and day are those of the law that made it
	corrects bool      // « Rectificatif au décret n° … »: it corrects the text that it names
}

// The words by which texts call themselves; the longer ones first.
const kindWords = `((?i:lois? +constitutionnelles?|lois? +organiques?|loi +de +finances(?: +rectificative)?|loi~cadre|loi +d'orientation|d[ée]crets?~lois?|loi|ordonnance~loi|ordonnance|dahir(?: +portant +loi)?` +
	`|d[ée]cret(?: +(?:pr[ée]sidentiel|gouvernemental|ex[ée]cutif))?|arr[êe]t[ée](?:(?: |~)(?:interminist[ée]riel|minist[ée]riel|conjoint|municipal|pr[ée]fectoral|pr[ée]sidentiel|du +(?:premier +)?ministre))*` +
	`|d[ée]cision|d[ée]lib[ée]ration|note +circulaire|lettre +circulaire|circulaire(?: +interminist[ée]rielle)?(?: +aux +(?: |'|~|\p{L}){3,60}?)?|instruction|acte +uniforme|r[èe]glement))`

// What formulas say of those who vote a text, and the verbs of those who make one.
const (
	votedWords = `délibéré et adopté|delibere et adopte`
	enactWords = `d[ée]cr[èe]te(?:nt)?|arr[êe]te(?:nt)?|ordonne`
)

// textNumberPattern is an official number; blanks around its signs are the
// printer's.
const textNumberPattern = `((?:\d[\dA-Za-z]*|[A-Z]{1,4}[/.~]?\d+[\dA-Za-z]*)(?:(?: ?~ ?|_|\.|/| ?/ ?)[\dA-Za-z]+(?:\.[A-Z]+)*)*)`

var (
	// Where the words before an article, a visa or a formula begin.
	preambleStart = law.Pattern(`^(?:Vu\b|VU\b|Considérant|Attendu|Sur (?:le |la |l'|proposition|rapport|pr[ée]sentation)|SUR |L[ea] (?:[Pp]r[ée]sident|[Mm]inistre|[Pp]remi|[Gg]arde|Chef|CHEF|PR[ÉE]SIDENT|MINISTRE|PREMIER|[Cc]onseil|CONSEIL|Parlement|Congrès|Sénat|Gouverneur|[Dd]irect|[Mm]aire|[Pp]r[ée]fet|Peuple|peuple|Roi|[Cc]hambre)|L'(?:Assembl|ASSEMBL|Administrat|[Aa]utorit)|LE |LA +(?:MINISTRE|CHAMBRE)|L'ASSEMBL|Au nom |AU NOM |Après |Louange|LOUANGE|Par +(?:delegation|délégation)|Nous\b|D[ÉE]CR[ÈE]TE|ARR[ÊE]TE\b|Ont? (?:adopt|délibér)|A (?:adopté|délibéré|promulgué)|En application|Il est|PR[ÉE]AMBULE|Préambule|Le peuple|EXPOS[ÉE]|Exposé des motifs|Est promulgu|RAPPORT DE PR|Rapport de présentation|SOMMAIRE|(?i:promulgue la))`)
	// The formulas by which a text is made law; a mere mention has none of them.
	enacting  = law.Pattern(`(?i:` + votedWords + `|a adopté|ont adopté|a adopte\b|promulgue\b|dont la teneur suit|(?:` + enactWords + `|d[ée]cide) *:?$)|^Vu (?:la |le |l'|les )|^VU |^Sur (?:le rapport|proposition|la proposition|présentation)|^(?i:rapport +de +pr.sent)`)
	notYetLaw = law.Pattern(`(?i)\b(?:avant~projet|projet de (?:loi|d[ée]cret|code|constitution)|proposition de loi|guide|manuel|formulaire|brochure|vade~mecum|note de présentation|rapport annuel|foire aux questions)\b`)
)

// kindOf maps the words of a head to a kind.
func kindOf(words string) kind {
	n, _, _ := natureOf(strings.TrimSpace(words))
	return kind{label: n.name, as: n.as}
}

// originNote names, in brackets and alone on its line, the text that an article
// comes from: « (Loi n° 83-53 du 18 février 1983) ».
var originNote = law.Pattern(`^[({[] *(?i:(?:ainsi )?(?:modifi|abrog|compl[ée]t|ins[ée]r|ajout|remplac|cr[éeé]{2}|introduit|rectifi)\p{L}* +(?:et .{0,40})?(?:par|de) .*|` + kindWords + `.{0,14}` + textNumberPattern + `.{0,60})[^)}\]]{0,3}[)}\]] *[*.+]?$`)

// read takes kind, number, date and object from a whole title.
func (h *head) read(title string) bool {
	n, ok := readNamed(title)
	if ok && n.nature.as == law.Code { // the day of its state is not the day on which it was made
		title = withoutState(title)
		n, ok = readNamed(title)
	}
	if !ok {
		return false
	}
	h.kind = kind{label: n.nature.name, as: n.nature.as}
	h.author, h.number, h.date, h.dated, h.object = n.author, n.number, n.date, n.dated, n.object
	h.by, h.plural = n.by, n.plural
	if h.broken = n.broken; h.broken {
		h.trust = asGuessed
	}
	if capitals(h.author) {
		h.author = strings.ToLower(h.author)
	}
	h.promulgates()
	h.corrected()
	h.madeBy(title)
	h.sentence = strings.HasPrefix(h.object, ".")
	if h.sentence { // « Arrêté n° 1373 du 4 juin 2025. M. … »: a title does not go on behind a full stop
		h.object = ""
	}
	h.object = strings.Trim(h.object, " .,;:–—-")
	h.object = footMark.ReplaceAllString(h.object, "")
	if strings.HasPrefix(title, "(") && !strings.Contains(h.object, "(") {
		h.object = strings.TrimRight(h.object, ")")
	}
	return true
}

// readLines reads a title of lines, from the first of them that begins with the
// name of a nature: a seal or a motto may stand above it.
func (h *head) readLines(lines []line) bool {
	for i := range lines {
		if h.read(joined(lines[i:])) {
			return true
		}
	}
	h.object = joined(lines)
	return false
}

// promulgating is a dahir that makes a law public.
var promulgating = law.Pattern(`(?i)^portant +promulgation +de +la +loi +n ?[°º*˚o]\.? *` + textNumberPattern + ` *`)

// specks is what recognition makes of dirt before the first word of a line.
var specks = law.Pattern(`^[^\p{L}\d«"(]{1,3} *`)

// dangling is a line that cannot end a title.
var dangling = law.Pattern(`(?i)(?:^|[ '])(?:de|du|des|d'|la|le|les|l'|en|et|ou|à|au|aux|par|pour|sur|dans|portant|relatifs?|relatives?|fixant|entre|avec|n ?[°º])$`)

// subject is how a circular names its object.
var subject = law.Pattern(`^(?i:objet) *:`)

// footMark is what a printer hangs on a title, in any order: « (1) », « (*) », « * 1 », and
// in brackets where the text was published, by the gazette's name or initials (JO, JORT,
// JORADP).
var footMark = law.Pattern(`(?: *` + hung + `(?:[ .]*` + hung + `)*)? *\.?$`)

const hung = `(?:\( *(?i:publi|bulletin|b\.? ?o\b|j\.? ?o(?:r\p{L}{0,4})?\b|journal)[^()]*(?:\([^()]*\)[^()]*)*\)|\((?:\d{1,2}|\*+)\)|\*+ *\d{0,2})`

// promulgates gives a dahir that promulgates a law the law's own name, by which it
// is known.
func (h *head) promulgates() {
	if m := promulgating.FindStringSubmatchIndex(h.object); m != nil && h.kind.label == "Dahir" {
		h.kind, h.number = kindOf("Loi"), law.TextNumber(h.object[m[2]:m[3]])
		h.object = h.object[m[1]:]
	}
}

// corrections are the names of texts that correct another's print.
var corrections = setOf("rectificatif rectification erratum errata")

// corrected gives the correction of a text that kind which is the text's own: it is a
// part of it, and has neither number nor day itself.
func (h *head) corrected() {
	if !corrections[law.Fold(h.kind.label)] {
		return
	}
	at := correctedText.FindStringIndex(h.object)
	if at == nil {
		return
	}
	if n, _, ok := natureOf(h.object[at[1]:]); ok {
		h.kind.as, h.corrects = n.as, true
		h.number, h.date, h.dated = "", time.Time{}, ""
	}
}

// correctedText stands before the name of the text that is corrected.
var correctedText = law.Pattern(`^(?i:à +(?:la +|le +|l')|aux? +)`)

// agreements are the natures of texts that are made between parties, known by them or by
// what they are about.
var agreements = setOf("traite convention accord protocole")

// agreed tells of a treaty, whose title has no number and no day: « Convention entre … et … »,
// « Traité relatif au … », « Acte uniforme portant … ».
func (h head) agreed() bool {
	nature, object := law.Fold(h.kind.label), law.Fold(h.object)
	if !agreements[nature] && nature != "acte uniforme" {
		return false
	}
	return slices.ContainsFunc([]string{"entre ", "sur ", "relatif ", "relative ", "portant "}, func(lead string) bool { return strings.HasPrefix(object, lead) })
}

// maker is the law that a code names in brackets behind its title, by which it was made.
var maker = law.Pattern(`\(((?i:(?:\p{L}+ +){0,4}par +(?:la|le|l') *)?` + natureNames + `[ ,][^()]*)\)?$`)

// madeBy gives a code the number and the day of the law by which it was made, where its
// title says so: « Code de l'eau (institué par la loi n° 12-345 du 6 mai 2012) ». The
// brackets are no part of the name by which a code is cited, whether they are printed
// behind it or on a line below.
func (h *head) madeBy(title string) {
	at := maker.FindStringIndex(title)
	if h.kind.as != law.Code || at == nil {
		return
	}
	name, ok := readNamed(title[:at[0]])
	if !ok || name.number != "" || !name.date.IsZero() {
		return
	}
	by := head{kind: h.kind}
	if by.madeOf(title[at[0]:at[1]]); by.made {
		h.number, h.date, h.dated, h.made = by.number, by.date, by.dated, true
		h.author, h.object = name.author, name.object
	}
}

// madeOf gives a code without number and day those of the law that words end with in
// brackets.
func (h *head) madeOf(words string) {
	if h.kind.as != law.Code || h.number != "" || !h.date.IsZero() {
		return
	}
	m := maker.FindStringSubmatch(strings.TrimSpace(words))
	if m == nil {
		return
	}
	words = m[1]
	if at := byLaw.FindStringIndex(words); at != nil {
		words = words[at[1]:]
	}
	if n, ok := readNamed(words); ok && n.number != "" && !n.date.IsZero() {
		h.number, h.date, h.dated, h.made = n.number, n.date, n.dated, true
	}
}

var byLaw = law.Pattern(`^(?i:.*?par +(?:la|le|l') *)`)

// namesText reports whether a line begins with the name of a text: a nature, and its
// number or its day.
func namesText(l line) bool {
	n, ok := readNamed(l.text)
	return ok && startsBig(l.text) && (n.number != "" || !n.date.IsZero())
}

// titleLines tells how many lines the title takes that begins at lines[0].
func titleLines(lines []line) int {
	n, named := 1, namesText(lines[0])
	for n < len(lines) && n < 14 {
		prev, next := lines[n-1], lines[n]
		if preambleStart.MatchString(specks.ReplaceAllString(next.text, "")) && (next.opens || next.mid != prev.mid) {
			break
		}
		if next.heads() && (next.opens || next.mid) || named && namesText(next) && mayHead(&prev, next) {
			break
		}
		if named && strings.HasSuffix(prev.text, ".") && n > 1 {
			break
		}
		if subject.MatchString(next.text) && n < 5 || dangling.MatchString(prev.text) ||
			!ended(prev.text) && next.Gap < next.scale && !startsCapital(next.text) {
			n++
			continue
		}
		if next.Bold == prev.Bold && next.Size == prev.Size && next.Gap < next.scale && (n > 1 || next.Bold || next.mid) && !ended(prev.text) && (next.Bold || next.mid || !next.opens) {
			n++
			continue
		}
		if next.opens && !next.mid && (prev.mid || n > 1 && ended(prev.text)) {
			break
		}
		if next.opens && !beginsSmall(next.text) && n > 1 && !(next.mid && prev.mid) && !capitals(next.text) {
			break
		}
		n++
	}
	return n
}

// title writes the head as a title in running words: nature, number, day, object. What is
// known by its name keeps that in one piece, its day behind it (« Code pénal du 6 juin 2005 »).
func (h head) title() string {
	t, day := h.kind.label, ""
	if h.dated != "" && !h.made {
		day = " du " + lowerDate(h.dated)
	}
	if h.goesOn() {
		if capitals(h.object) { // « CODE DES SALINES », as it is printed
			t = strings.ToUpper(t)
		}
		return t + " " + h.object + day
	}
	if h.author != "" {
		t += " " + h.author
	}
	if h.number != "" && !h.made {
		t += " n° " + h.number
	}
	t += day
	if at := subject.FindStringIndex(h.object); at != nil { // « Objet : … », of a circular
		t += " : " + strings.TrimSpace(h.object[at[1]:])
	} else if h.object != "" {
		t += " " + h.object
	}
	return t
}

// goesOn reports whether the object goes on with a name by which a text is known, as « pénal »
// does behind « Code », and tells nothing about it, as « portant … » does.
func (h head) goesOn() bool {
	return whole(h) && (h.number == "" || h.made) && h.author == "" && h.object != "" && objectAt(h.object) > 0
}

// months are those that capitals often leave without their accent.
var months = strings.NewReplacer("fevrier", "février", "aout", "août", "decembre", "décembre")

// lowerDate writes a date's month in small letters, one blank between the parts.
func lowerDate(dated string) string {
	return months.Replace(strings.ToLower(strings.Join(strings.Fields(dated), " ")))
}

// key names a text within an issue: its force and its number.
func (h head) key() string { return string(h.kind.as) + " " + strings.ToUpper(h.number) }

// pagesOf returns the first and the last page of lines.
func pagesOf(lines []line) (first, last int) {
	for i, l := range lines {
		if i == 0 {
			first, last = l.Page, l.Page
		}
		first, last = min(first, l.Page), max(last, l.Page)
	}
	return first, last
}
