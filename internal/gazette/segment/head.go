package segment

import (
	"slices"
	"strings"
	"time"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/law"
)

// kind is what a text calls itself, and its type in the catalogue.
type kind struct {
	label  string // as a title begins: « Loi organique », « Arrêté interministériel »
	as     law.DocType
	unsure bool // as is only a proposal
}

// head is the beginning of a text: « LOI N° 2023-07 DU 14 MARS 2023 portant … ».
type head struct {
	at        int // index of its first line
	lines     int // number of lines of the title
	kind      kind
	author    string // « du ministre du commerce », « aux banques »
	number    string
	date      time.Time   // zero if it is not printed there
	dated     string      // the date as printed
	how       law.Reading // of the date
	above     string      // the line above the title that shows the date, if the title does not
	object    string      // « portant Code du travail »
	guessed   bool        // kind and number come from the file's name
	trust     float64     // confidence in what was read; 0 if it was read as printed
	sentence  bool        // its first line continues with a sentence of the text
	plural    bool        // « Arrêtés des 12 et 15 décembre »: a heading over several texts
	by        bool        // « Par arrêté du … »
	abridged  bool        // « Par décret n° … du …, M. … est nommé »: no title is printed
	broken    bool        // more digits follow its number, which is incomplete
	entitled  bool        // the words after an abridged name belong to a title: « portant … »
	confirmed bool        // a person confirmed it
	byLaw     bool        // for a code: number and date are those of the law that enacted it
	corrects  bool        // « Rectificatif au décret n° … »: it corrects the text that it names
}

// The words by which texts call themselves, longer ones first.
const kindWords = `((?i:lois? +constitutionnelles?|lois? +organiques?|loi +de +finances(?: +rectificative)?|loi~cadre|loi +d'orientation|d[ée]crets?~lois?|loi|ordonnance~loi|ordonnance|dahir(?: +portant +loi)?` +
	`|d[ée]cret(?: +(?:pr[ée]sidentiel|gouvernemental|ex[ée]cutif))?|arr[êe]t[ée](?:(?: |~)(?:interminist[ée]riel|minist[ée]riel|conjoint|municipal|pr[ée]fectoral|pr[ée]sidentiel|du +(?:premier +)?ministre))*` +
	`|d[ée]cision|d[ée]lib[ée]ration|note +circulaire|lettre +circulaire|circulaire(?: +interminist[ée]rielle)?(?: +aux +(?: |'|~|\p{L}){3,60}?)?|instruction|acte +uniforme|r[èe]glement))`

// The words of formulas for a text that was voted, and the verbs of those who issue a text.
const (
	votedWords = `délibéré et adopté|delibere et adopte`
	enactWords = `d[ée]cr[èe]te(?:nt)?|arr[êe]te(?:nt)?|ordonne`
)

// textNumberPattern matches an official number. Printers may set blanks around its signs.
const textNumberPattern = `((?:\d[\dA-Za-z]*|[A-Z]{1,4}[/.~]?\d+[\dA-Za-z]*)(?:(?: ?(?:~|_){1,2} ?|\.| ?/ ?)[\dA-Za-z]+(?:\.[A-Z]+)*)*)`

var (
	// The beginning of the words before an article: a visa or a formula.
	preambleStart = law.Pattern(`^(?:Vu\b|VU\b|Considérant|Attendu|Sur (?:le |la |l'|proposition|rapport|pr[ée]sentation)|SUR |L[ea] (?:[Pp]r[ée]sident|[Mm]inistre|[Pp]remi|[Gg]arde|Chef|CHEF|PR[ÉE]SIDENT|MINISTRE|PREMIER|[Cc]onseil|CONSEIL|Parlement|Congrès|Sénat|Gouverneur|[Dd]irect|[Mm]aire|[Pp]r[ée]fet|Peuple|peuple|Roi|[Cc]hambre)|L'(?:Assembl|ASSEMBL|Administrat|[Aa]utorit)|LE |LA +(?:MINISTRE|CHAMBRE)|L'ASSEMBL|Au nom |AU NOM |Après |Louange|LOUANGE|Par +(?:delegation|délégation)|Nous\b|D[ÉE]CR[ÈE]TE|ARR[ÊE]TE\b|Ont? (?:adopt|délibér)|A (?:adopté|délibéré|promulgué)|En application|Il est|PR[ÉE]AMBULE|Préambule|Le peuple|EXPOS[ÉE]|Exposé des motifs|Est promulgu|RAPPORT DE PR|Rapport de présentation|SOMMAIRE|(?i:promulgue la))`)
	// The formulas that enact a text; a text that is merely mentioned has none of them.
	enacting  = law.Pattern(`(?i:` + votedWords + `|a adopté|ont adopté|a adopte\b|promulgue\b|dont la teneur suit|(?:` + enactWords + `|d[ée]cide) *:?$)|^Vu (?:la |le |l'|les )|^VU |^Sur (?:le rapport|proposition|la proposition|présentation)|^(?i:rapport +de +pr.sent)`)
	notYetLaw = law.Pattern(`(?i)\b(?:avant~projet|projet de (?:loi|d[ée]cret|code|constitution)|proposition de loi|guide|manuel|formulaire|brochure|vade~mecum|note de présentation|rapport annuel|foire aux questions)\b`)
)

// kindOf returns the kind that the words of a head name.
func kindOf(words string) kind {
	n, _, _ := natureOf(strings.TrimSpace(words))
	return n.kind()
}

// originNote matches the text that an article comes from, in brackets and alone on its line: « (Loi n° 83-53
// du 18 février 1983) ».
var originNote = law.Pattern(`^[({[] *(?i:(?:ainsi )?(?:modifi|abrog|compl[ée]t|ins[ée]r|ajout|remplac|cr[éeé]{2}|introduit|rectifi)\p{L}* +(?:et .{0,40})?(?:par|de) .*|` + kindWords + `.{0,14}` + textNumberPattern + `.{0,60})[^)}\]]{0,3}[)}\]] *[*.+]?$`)

// read takes kind, number, date and object from a whole title. It returns false if title names no kind.
func (h *head) read(title string) bool {
	n, ok := readNamed(title)
	if ok && n.nature.as == law.Code { // the date of its current state is not the date on which it was enacted
		title = withoutState(title)
		n, ok = readNamed(title)
	}
	if !ok {
		return false
	}
	h.kind = n.nature.kind()
	h.author, h.number, h.date, h.dated, h.object = n.author, n.number, n.date, n.dated, n.object
	h.how = n.how
	h.by, h.plural = n.by, n.plural
	if h.broken = n.broken; h.broken {
		h.trust = remarks.AsGuessed
	}
	if capitals(h.author) {
		h.author = strings.ToLower(h.author)
	}
	h.takeLawName()
	h.takeCorrectedKind()
	h.takeCoordinatedKind()
	h.takeLawInTitle(title)
	h.sentence = strings.HasPrefix(h.object, ".")
	if h.sentence { // « Arrêté n° 1373 du 4 juin 2025. M. … »: a title does not continue after a full stop
		h.object = ""
	}
	h.object = strings.Trim(h.object, " .,;:–—-")
	h.object = footMark.ReplaceAllString(h.object, "")
	if strings.HasPrefix(title, "(") && !strings.Contains(h.object, "(") {
		h.object = strings.TrimRight(h.object, ")")
	}
	return true
}

// readLines reads a title from lines. It tries each line as the first, because a seal or a motto may be
// printed above the name of the nature.
func (h *head) readLines(lines []line) bool {
	for i := range lines {
		if h.read(joined(lines[i:])) {
			return true
		}
	}
	h.object = joined(lines)
	return false
}

// promulgating matches the object of a dahir that promulgates a law.
var promulgating = law.Pattern(`(?i)^portant +promulgation +de +la +loi +n ?[°º*˚o]\.? *` + textNumberPattern + ` *`)

// dangling matches a line that cannot end a title.
var dangling = law.Pattern(`(?i)(?:^|[ '])(?:de|du|des|d'|la|le|les|l'|en|et|ou|à|au|aux|par|pour|sur|dans|portant|relatifs?|relatives?|fixant|entre|avec|n ?[°º])$`)

// subject matches how a circular introduces its object.
var subject = law.Pattern(`^(?i:objet) *:`)

// footMark matches what printers append to a title, in any order: marks of footnotes (« (1) », « (*) », « *
// 1 ») and, in brackets, where the text was published, by the name of the gazette or its initials (JO, JORT,
// JORADP).
var footMark = law.Pattern(`(?: *` + hung + `(?:[ .]*` + hung + `)*)? *\.?$`)

const hung = `(?:\( *(?i:publi|bulletin|b\.? ?o\b|j\.? ?o(?:r\p{L}{0,4})?\b|journal)[^()]*(?:\([^()]*\)[^()]*)*\)|\((?:\d{1,2}|\*+)\)|\*+ *\d{0,2})`

// takeLawName gives a dahir that promulgates a law the name of this law, because the text is known by it.
func (h *head) takeLawName() {
	if m := promulgating.FindStringSubmatchIndex(h.object); m != nil && h.kind.label == "Dahir" {
		h.kind, h.number = kindOf("Loi"), law.TextNumber(h.object[m[2]:m[3]])
		h.object = h.object[m[1]:]
	}
}

// corrections are the natures of texts that correct the print of another text.
var corrections = setOf("rectificatif rectification erratum errata")

// takeCorrectedKind gives a corrigendum the kind of the text that it corrects. The corrigendum belongs to that text,
// and has neither number nor date of its own.
func (h *head) takeCorrectedKind() {
	if !corrections[law.Fold(h.kind.label)] {
		return
	}
	at := correctedText.FindStringIndex(h.object)
	if at == nil {
		return
	}
	if n, _, ok := natureOf(h.object[at[1]:]); ok {
		h.kind.as, h.corrects = n.as, true
		h.number, h.date, h.dated, h.how = "", time.Time{}, "", law.AsPrinted
	}
}

// takeCoordinatedKind gives a coordinated text the kind of the text whose present state it prints.
func (h *head) takeCoordinatedKind() {
	if law.Fold(h.kind.label) != coordinated {
		return
	}
	object := strings.TrimLeft(h.object, " ,:")
	n, _, ok := natureOf(object[lastOfMatch(coordinatedText.FindStringIndex(object)):])
	if h.kind.unsure = !ok || n.as == ""; ok {
		h.kind.as = n.as
	}
}

// coordinated is the folded nature of a text that a gazette prints as it stands after its amendments.
const coordinated = "texte coordonne"

// coordinatedText matches the words before the name of the text that a coordinated text prints.
var coordinatedText = law.Pattern(`^(?i:(?:comprenant|de) +(?:les? +|la +|l')|du +|des +|(?:de +)?)`)

// lastOfMatch returns where a match ends, 0 for none.
func lastOfMatch(at []int) int {
	if at == nil {
		return 0
	}
	return at[1]
}

// correctedText matches the words before the name of the corrected text.
var correctedText = law.Pattern(`^(?i:à +(?:la +|le +|l')|aux? +)`)

// agreements are the natures of texts between parties, which are known by the parties or by their subject.
var agreements = setOf("traite convention accord protocole")

// isTreaty reports whether the head is that of a treaty, whose title has neither number nor date: « Convention
// entre … et … », « Traité relatif au … », « Acte uniforme portant … ».
func (h head) isTreaty() bool {
	nature, object := law.Fold(h.kind.label), law.Fold(h.object)
	if !agreements[nature] && nature != "acte uniforme" {
		return false
	}
	return slices.ContainsFunc([]string{"entre ", "sur ", "relatif ", "relative ", "portant "}, func(lead string) bool { return strings.HasPrefix(object, lead) })
}

// enactingLaw matches the law that enacted a code, in brackets after the code's title.
var enactingLaw = law.Pattern(`\(((?i:(?:\p{L}+ +){0,4}par +(?:la|le|l') *)?` + natureNames + `[ ,][^()]*)\)?$`)

// takeLawInTitle gives a code the number and the date of the law that enacted it, if the title names this law: « Code
// de l'eau (institué par la loi n° 12-345 du 6 mai 2012) ». A code is cited without these brackets, so they
// are no part of its name.
func (h *head) takeLawInTitle(title string) {
	at := enactingLaw.FindStringIndex(title)
	if h.kind.as != law.Code || at == nil {
		return
	}
	name, ok := readNamed(title[:at[0]])
	if !ok || name.number != "" || !name.date.IsZero() {
		return
	}
	by := head{kind: h.kind}
	if by.takeLawIn(title[at[0]:at[1]]); by.byLaw {
		h.number, h.date, h.dated, h.byLaw = by.number, by.date, by.dated, true
		h.author, h.object = name.author, name.object
	}
}

// takeLawIn gives a code without number and date the number and the date of the law that is named in brackets at the
// end of the given words.
func (h *head) takeLawIn(words string) {
	if h.kind.as != law.Code || h.number != "" || !h.date.IsZero() {
		return
	}
	m := enactingLaw.FindStringSubmatch(strings.TrimSpace(words))
	if m == nil {
		return
	}
	words = m[1]
	if at := byLaw.FindStringIndex(words); at != nil {
		words = words[at[1]:]
	}
	if n, ok := readNamed(words); ok && n.number != "" && !n.date.IsZero() {
		h.number, h.date, h.dated, h.byLaw = n.number, n.date, n.dated, true
	}
}

var byLaw = law.Pattern(`^(?i:.*?par +(?:la|le|l') *)`)

// namesText reports whether a line begins with the name of a text: a nature, and a number or a date.
func namesText(l line) bool {
	n, ok := readNamed(l.text)
	return ok && heads.StartsBig(l.text) && (n.number != "" || !n.date.IsZero())
}

// titleLines returns the number of lines of the title that begins at lines[0].
func titleLines(lines []line) int {
	n, named := 1, namesText(lines[0])
	for n < len(lines) && n < 14 {
		prev, next := lines[n-1], lines[n]
		if preambleStart.MatchString(heads.WithoutSpecks(next.text)) && (next.opens || next.mid != prev.mid) {
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

// title writes the head as a title in running words: nature, number, date, object. If the object is part of a
// name, the date follows the whole name (« Code pénal du 6 juin 2005 »).
func (h head) title() string {
	t, day := h.kind.label, ""
	if h.dated != "" && !h.byLaw {
		day = " du " + lowerDate(h.dated)
	}
	if h.objectIsName() {
		if capitals(h.object) { // « CODE DES SALINES » keeps its capitals
			t = strings.ToUpper(t)
		}
		return t + " " + h.object + day
	}
	if h.author != "" {
		t += " " + h.author
	}
	if h.number != "" && !h.byLaw {
		t += " n° " + h.number
	}
	t += day
	if at := subject.FindStringIndex(h.object); at != nil { // a circular: « Objet : … »
		t += " : " + strings.TrimSpace(h.object[at[1]:])
	} else if h.object != "" {
		t += " " + h.object
	}
	return t
}

// objectIsName reports whether the object is part of the text's name, such as « pénal » after « Code », and not a
// description, such as « portant … ».
func (h head) objectIsName() bool {
	return knownByName(h) && (h.number == "" || h.byLaw) && h.author == "" && h.object != "" && objectAt(h.object) > 0
}

// months restores the accents that months in capitals often lack.
var months = strings.NewReplacer("fevrier", "février", "aout", "août", "decembre", "décembre")

// lowerDate writes a date with its month in lower case and with single blanks.
func lowerDate(dated string) string {
	return months.Replace(strings.ToLower(strings.Join(strings.Fields(dated), " ")))
}

// key identifies a text within an issue by its type and its number.
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
