// Package titles reads the titles of legal texts. The lines of a title, or words of a sentence that
// name a text, go in. What comes out is the text's nature with its type in the catalogue, its author,
// number and date, and its object.
package titles

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

// KnownByName reports whether a text is known by its name alone: a code or a constitution.
func KnownByName(h Title) bool { return h.Kind.Type == law.Constitution || h.Kind.Type == law.Code }

// ActKind is what a text calls itself, and its type in the catalogue.
type ActKind struct {
	Label  string // as a title begins: « Loi organique », « Arrêté interministériel »
	Type   law.DocType
	Unsure bool // as is only a proposal
}

// Title is the beginning of a text: « LOI N° 2023-07 DU 14 MARS 2023 portant … ».
type Title struct {
	At        int // index of its first line
	Lines     int // number of lines of the title
	Kind      ActKind
	author    string // « du ministre du commerce », « aux banques »
	Number    string
	Date      time.Time       // zero if it is not printed there
	Dated     string          // the date as printed
	How       law.DateReading // of the date
	Above     string          // the line above the title that shows the date, if the title does not
	Object    string          // « portant Code du travail »
	Guessed   bool            // kind and number come from the file's name
	Trust     float64         // confidence in what was read; 0 if it was read as printed
	Sentence  bool            // its first line continues with a sentence of the text
	Plural    bool            // « Arrêtés des 12 et 15 décembre »: a heading over several texts
	By        bool            // « Par arrêté du … »
	Abridged  bool            // « Par décret n° … du …, M. … est nommé »: no title is printed
	Broken    bool            // more digits follow its number, which is incomplete
	Entitled  bool            // the words after an abridged name belong to a title: « portant … »
	Confirmed bool            // a person confirmed it
	byLaw     bool            // for a code: number and date are those of the law that enacted it
	Apart     bool            // the law that it promulgates is another text, and does not name it
	Corrects  bool            // « Rectificatif au décret n° … »: it corrects the text that it names
}

// The words of formulas for a text that was voted, and the verbs of those who issue a text.
const (
	votedWords = `délibéré et adopté|delibere et adopte`
	enactWords = `d[ée]cr[èe]te(?:nt)?|arr[êe]te(?:nt)?|ordonne`
)

// NumberPattern matches an official number. Printers may set blanks around its signs.
const NumberPattern = `((?:\d[\dA-Za-z]*|[A-Z]{1,4}[/.~]?\d+[\dA-Za-z]*)(?:(?: ?(?:~|_){1,2} ?|\.| ?/ ?)[\dA-Za-z]+(?:\.[A-Z]+)*)*)`

var (
	// PreambleStart matches the beginning of the words before an article: a visa or a formula.
	PreambleStart = law.Pattern(`^(?:Vu\b|VU\b|Considérant|Attendu|Sur (?:le |la |l'|proposition|rapport|pr[ée]sentation)|SUR |L[ea] (?:[Pp]r[ée]sident|[Mm]inistre|[Pp]remi|[Gg]arde|Chef|CHEF|PR[ÉE]SIDENT|MINISTRE|PREMIER|[Cc]onseil|CONSEIL|Parlement|Congrès|Sénat|Gouverneur|[Dd]irect|[Mm]aire|[Pp]r[ée]fet|Peuple|peuple|Roi|[Cc]hambre)|L'(?:Assembl|ASSEMBL|Administrat|[Aa]utorit)|LE |LA +(?:MINISTRE|CHAMBRE)|L'ASSEMBL|Au nom |AU NOM |Après |Louange|LOUANGE|Par +(?:delegation|délégation)|Nous\b|D[ÉE]CR[ÈE]TE|ARR[ÊE]TE\b|Ont? (?:adopt|délibér)|A (?:adopté|délibéré|promulgué)|En application|Il est|PR[ÉE]AMBULE|Préambule|Le peuple|EXPOS[ÉE]|Exposé des motifs|Est promulgu|RAPPORT DE PR|Rapport de présentation|SOMMAIRE|(?i:promulgue la))`)
	// NotYetLaw matches words of titles that announce a bill, or no legal text at all.
	NotYetLaw = law.Pattern(`(?i)\b(?:avant~projet|projet de (?:loi|d[ée]cret|code|constitution)|proposition de loi|guide|manuel|formulaire|brochure|vade~mecum|note de présentation|rapport annuel|foire aux questions)\b`)
)

// KindOf returns the kind that the words of a head name.
func KindOf(words string) ActKind {
	n, _, _ := ReadNature(strings.TrimSpace(words))
	return n.kind()
}

// OriginNote matches the text that an article comes from, in brackets and alone on its line: « (Loi n° 83-53
// du 18 février 1983) ».
var OriginNote = law.Pattern(`^[({[] *(?i:(?:ainsi )?(?:modifi|abrog|compl[ée]t|ins[ée]r|ajout|remplac|cr[éeé]{2}|introduit|rectifi)\p{L}* +(?:et .{0,40})?(?:par|de) .*|(?:` + natureNames + `).{0,14}` + NumberPattern + `.{0,60})[^)}\]]{0,3}[)}\]] *[*.+]?$`)

// Read takes kind, number, date and object from a whole title. It returns false if title names no kind.
func (h *Title) Read(title string) bool {
	n, ok := ReadName(title)
	if ok && n.Nature.Type == law.Code { // the date of its current state is not the date on which it was enacted
		title = withoutState(title)
		n, ok = ReadName(title)
	}
	if !ok {
		return false
	}
	h.Kind = n.Nature.kind()
	h.author, h.Number, h.Date, h.Dated, h.Object = n.author, n.Number, n.Date, n.dated, n.object
	h.How = n.how
	h.By, h.Plural = n.By, n.plural
	if h.Broken = n.broken; h.Broken {
		h.Trust = remarks.AsGuessed
	}
	if line.AllCaps(h.author) {
		h.author = strings.ToLower(h.author)
	}
	if again, end, ok := ReadNature(h.Object); ok && again.kind() == h.Kind && ObjectAt(h.Object[end:]) == 0 { // « Loi n° 7 / LOI PORTANT … »
		h.Object = h.Object[end:]
	}
	h.takeLawName()
	h.takeCorrectedKind()
	h.takeCoordinatedKind()
	h.takeLawInTitle(title)
	h.Sentence = strings.HasPrefix(h.Object, ".")
	if h.Sentence { // « Arrêté n° 1373 du 4 juin 2025. M. … »: a title does not continue after a full stop
		h.Object = ""
	}
	h.Object = strings.Trim(blankMark.ReplaceAllString(h.Object, ""), " .,;:–—-")
	h.Object = footMark.ReplaceAllString(h.Object, "")
	if strings.HasPrefix(title, "(") && !strings.Contains(h.Object, "(") {
		h.Object = strings.TrimRight(h.Object, ")")
	}
	return true
}

// ReadLines reads a title from lines. It tries each line as the first, because a seal or a motto may be
// printed above the name of the nature.
func (h *Title) ReadLines(lines []line.Line) bool {
	for i := range lines {
		if h.Read(line.Join(lines[i:])) {
			return true
		}
	}
	h.Object = line.Join(lines)
	return false
}

// blankMark matches the mark before a number that was never filled in, at the beginning of an object.
var blankMark = law.Pattern(`^(?i:n ?[°*][ ._…~]*)`)

// promulgating matches the object of a dahir that promulgates a law.
var promulgating = law.Pattern(`(?i)^portant +promulgation +de +la +loi +n ?[°*o]\.? *` + NumberPattern + ` *`)

// Dangling matches a line that cannot end a title.
var Dangling = law.Pattern(`(?i)(?:^|[ '])(?:de|du|des|d'|la|le|les|l'|en|et|ou|à|au|aux|par|pour|sur|dans|portant|relatifs?|relatives?|fixant|entre|avec|n ?°)$`)

// Subject matches how a circular introduces its object.
var Subject = law.Pattern(`^(?i:objet) *:`)

// footMark matches what printers append to a title, in any order: marks of footnotes (« (1) », « (*) », « *
// 1 ») and, in brackets, where the text was published, by the name of the gazette or its initials (JO, JORT,
// JORADP).
var footMark = law.Pattern(`(?: *` + hung + `(?:[ .]*` + hung + `)*)? *\.?$`)

const (
	hung        = `(?:` + publication + `|\((?:\d{1,2}|\*+)\)|\*+ *\d{0,2})`
	publication = `\( *(?i:publi|bulletin|b\.? ?o\b|j\.? ?o(?:r\p{L}{0,4})?\b|journal|moniteur|m[ée]morial)[^()]*(?:\([^()]*\)[^()]*)*\)`
)

// Published matches a line that says in brackets where the text was published, with which a title ends.
var Published = law.Pattern(publication + `$`)

// takeLawName gives a dahir that promulgates a law the name of this law, because the text is known by it.
func (h *Title) takeLawName() {
	if m := promulgating.FindStringSubmatchIndex(h.Object); m != nil && h.Kind.Label == "Dahir" && !h.Apart {
		h.Kind, h.Number = KindOf("Loi"), law.TextNumber(h.Object[m[2]:m[3]])
		h.Object = h.Object[m[1]:]
	}
}

// Corrections are the natures of texts that correct the print of another text.
var Corrections = line.WordSet("rectificatif rectification erratum errata")

// takeCorrectedKind gives a corrigendum the kind of the text that it corrects. The corrigendum belongs to that text,
// and has neither number nor date of its own.
func (h *Title) takeCorrectedKind() {
	if !Corrections[law.Fold(h.Kind.Label)] {
		return
	}
	positions := correctedText.FindStringIndex(h.Object)
	if positions == nil {
		return
	}
	if n, _, ok := ReadNature(h.Object[positions[1]:]); ok {
		h.Kind.Type, h.Corrects = n.Type, true
		h.Number, h.Date, h.Dated, h.How = "", time.Time{}, "", law.AsPrinted
	}
}

// takeCoordinatedKind gives a coordinated text the kind of the text that it prints with its amendments.
func (h *Title) takeCoordinatedKind() {
	if law.Fold(h.Kind.Label) != Coordinated {
		return
	}
	object := strings.TrimLeft(h.Object, " ,:")
	n, _, ok := ReadNature(object[lastOfMatch(coordinatedText.FindStringIndex(object)):])
	if h.Kind.Unsure = !ok || n.Type == ""; ok {
		h.Kind.Type = n.Type
	}
}

// Coordinated is the folded nature of a text that a gazette prints with its amendments.
const Coordinated = "texte coordonne"

// coordinatedText matches the prepositions and articles before the name of the text that a coordinated text prints, which
// are all that French has.
var coordinatedText = law.Pattern(`^(?i:(?:comprenant|de) +(?:les? +|la +|l')|du +|des +|(?:de +)?)`)

// lastOfMatch returns where a match ends, 0 for none.
func lastOfMatch(positions []int) int {
	if positions == nil {
		return 0
	}
	return positions[1]
}

// correctedText matches the words before the name of the corrected text.
var correctedText = law.Pattern(`^(?i:à +(?:la +|le +|l')|aux? +)`)

// Agreements are the natures of texts between parties, which are known by the parties or by their subject.
var Agreements = line.WordSet("traite convention accord protocole")

// IsTreaty reports whether the head is that of a treaty, whose title has neither number nor date: « Convention
// entre … et … », « Traité relatif au … », « Acte uniforme portant … ».
func (h Title) IsTreaty() bool {
	nature, object := law.Fold(h.Kind.Label), law.Fold(h.Object)
	if !Agreements[nature] && nature != "acte uniforme" {
		return false
	}
	return slices.ContainsFunc([]string{"entre ", "sur ", "relatif ", "relative ", "portant "}, func(lead string) bool { return strings.HasPrefix(object, lead) })
}

// enactingLaw matches the law that enacted a code, in brackets after the code's title.
var enactingLaw = law.Pattern(`\(((?i:(?:\p{L}+ +){0,4}par +(?:la|le|l') *)?` + natureNames + `[ ,][^()]*)\)?$`)

// takeLawInTitle gives a code the number and the date of the law that enacted it, if the title names this law: « Code
// de l'eau (institué par la loi n° 12-345 du 6 mai 2012) ». A code is cited without these brackets, so they
// are no part of its name.
func (h *Title) takeLawInTitle(title string) {
	positions := enactingLaw.FindStringIndex(title)
	if h.Kind.Type != law.Code || positions == nil {
		return
	}
	name, ok := ReadName(title[:positions[0]])
	if !ok || name.Number != "" || !name.Date.IsZero() {
		return
	}
	by := Title{Kind: h.Kind}
	if by.takeLawIn(title[positions[0]:positions[1]]); by.byLaw {
		h.Number, h.Date, h.Dated, h.byLaw = by.Number, by.Date, by.Dated, true
		h.author, h.Object = name.author, name.object
	}
}

// takeLawIn gives a code without number and date the number and the date of the law that is named in brackets at the
// end of the given words.
func (h *Title) takeLawIn(words string) {
	if h.Kind.Type != law.Code || h.Number != "" || !h.Date.IsZero() {
		return
	}
	m := enactingLaw.FindStringSubmatch(strings.TrimSpace(words))
	if m == nil {
		return
	}
	words = m[1]
	if positions := byLaw.FindStringIndex(words); positions != nil {
		words = words[positions[1]:]
	}
	if n, ok := ReadName(words); ok && n.Number != "" && !n.Date.IsZero() {
		h.Number, h.Date, h.Dated, h.byLaw = n.Number, n.Date, n.dated, true
	}
}

var byLaw = law.Pattern(`^(?i:.*?par +(?:la|le|l') *)`)

// NamesText reports whether a line begins with the name of a text: a nature, and a number or a date.
func NamesText(l line.Line) bool {
	n, ok := ReadName(l.Text)
	return ok && heads.StartsBig(l.Text) && (n.Number != "" || !n.Date.IsZero())
}

// titleLines returns the number of lines of the title that begins at lines[0].
func titleLines(lines []line.Line) int {
	n, named := 1, NamesText(lines[0])
	for n < len(lines) && n < 14 {
		prev, next := lines[n-1], lines[n]
		if PreambleStart.MatchString(heads.WithoutSpecks(next.Text)) && (next.Opens || next.Centered != prev.Centered) {
			break
		}
		if next.IsHead() && (next.Opens || next.Centered) || named && NamesText(next) && line.MayHead(&prev, next) {
			break
		}
		if Subject.MatchString(next.Text) && n < 5 || Dangling.MatchString(prev.Text) || line.GoesOn(prev, next) {
			n++
			continue
		}
		n++
	}
	return n
}

// String writes the head as a title in running words: nature, number, date, object. If the object is part of a
// name, the date follows the whole name (« Code pénal du 6 juin 2005 »).
func (h Title) String() string {
	t, day := h.Kind.Label, ""
	if h.Dated != "" && !h.byLaw {
		day = " du " + lowerDate(h.Dated)
	}
	if h.objectIsName() {
		if line.AllCaps(h.Object) { // « CODE DES SALINES » keeps its capitals
			t = strings.ToUpper(t)
		}
		return t + " " + h.Object + day
	}
	if h.author != "" {
		t += " " + h.author
	}
	if h.Number != "" && !h.byLaw {
		t += " n° " + h.Number
	}
	t += day
	if positions := Subject.FindStringIndex(h.Object); positions != nil { // a circular: « Objet : … »
		t += " : " + strings.TrimSpace(h.Object[positions[1]:])
	} else if h.Object != "" {
		t += " " + h.Object
	}
	return t
}

// objectIsName reports whether the object is part of the text's name, such as « pénal » after « Code », and not a
// description, such as « portant … ».
func (h Title) objectIsName() bool {
	return KnownByName(h) && (h.Number == "" || h.byLaw) && h.author == "" && h.Object != "" && ObjectAt(h.Object) > 0
}

// Reads reports whether the title reads as that of a text: a nature, then nothing or an object in a form that objects
// have. Nobody recognizes a text by other words, such as a running head, a table of contents or misread letters.
func (h Title) Reads() bool {
	object := strings.TrimLeft(h.Object, " ,:«\"")
	switch {
	case h.Confirmed:
		return true
	case h.Guessed || misreadObject.MatchString(h.Object) || line.Leader.MatchString(h.Object):
		return false
	case KnownByName(h):
		return true // its words are the name
	case h.Kind.Label == "":
		return false
	case h.Kind.Type == law.Circulaire && (h.Number != "" || !h.Date.IsZero()):
		return true // its object may be any words
	}
	return object == "" || readsAsObject.MatchString(object) && !noObject.MatchString(object)
}

// misreadObject matches signs that no title has, and a figure within a word.
var misreadObject = law.Pattern(`[|=<>€^_{}\\]|\p{L}\d+\p{L}`)

// readsAsObject matches how objects begin: with a participle or a preposition, of which French has no others.
// A day in another calendar may come before it.
var readsAsObject = line.OptionalAccents(`^(?:\([^()]{1,40}\)[ ,.]*)?(?:$|(?i:\p{L}+(?:ant|é|ée|és|ées)|relati(?:f|ve)s?|prise?|objet|tel(?:le)?s?|sur|de|du|des|d'|pour|en|entre|avec|contre|par|à|au|aux|dans|hors|sous)(?: |'|:|,|$))`)

// months restores the accents that months in capitals often lack.
var months = strings.NewReplacer("fevrier", "février", "aout", "août", "decembre", "décembre")

// lowerDate writes a date with its month in lower case and with single blanks.
func lowerDate(dated string) string {
	return months.Replace(strings.ToLower(strings.Join(strings.Fields(dated), " ")))
}

// Key identifies a text within an issue by its type and its number.
func (h Title) Key() string { return string(h.Kind.Type) + " " + strings.ToUpper(h.Number) }

var makesCode = law.Pattern(`(?i)^(?:et )?(?:portant|formant|instituant|établissant|etablissant|relative au|relatif au|fixant|édictant|promulguant)\b[^;]{0,100}?\bcode +(?:de|du|des|d')`)

// Amending matches verbs and nouns with which a text changes or applies another text.
var Amending = law.Pattern(`(?i)\b(?:modifi|compl[ée]t|abrog|rectifi|d[ée]rog|application)`)

var codeName = law.Pattern(`(?i)\bcode\b`)

// partsOfCode matches the words before the name of a code of which a law treats only parts.
var partsOfCode = law.Pattern(`(?i)\b(?:dispositions?|articles?|titres?|livres?|chapitres?)\b`)

// MakesCode reports whether the text is a code: it calls itself one, or enacts one (« portant Code du
// travail »), and does not merely amend one or treat of its parts.
func (h Title) MakesCode() bool {
	positions := codeName.FindStringIndex(h.Object)
	if h.Kind.Type == law.Code || h.Kind.Type != law.Loi || positions == nil {
		return h.Kind.Type == law.Code
	}
	lead := h.Object[:positions[0]]
	return makesCode.MatchString(h.Object) && !Amending.MatchString(lead) && !partsOfCode.MatchString(lead)
}

// FormulaEnd matches the end of a line that announces articles. The chain may not see such a formula if no
// articles follow.
var FormulaEnd = law.Pattern(`(?i)(?:` + votedWords + `|teneur suit|(?:^|[ ,])(?:` + enactWords + `)) *[,;:.]*$`)

// Formula matches a formula alone on its line, which announces the articles of the text above it: « Décrète : ».
var Formula = law.Pattern(`^(?i:` + enactWords + `) *:$`)

// The lines of a title may be followed by lines that look the same: the formula that enacts the text, its first visa, a
// table of contents, its first division. The layout does not always distinguish them, so their words decide.
var (
	// What begins after a title wherever it occurs.
	afterTitle = line.OptionalAccents(`(?i)(?:^|[ .,;:~])(?:` +
		`l'assemblée +(?:\p{L}|'| |~){0,60}?(?:a|ont|ayant) +(?:\p{L}+ +et +)?(?:délibéré|adopté|voté)` +
		`|(?:le|la|les) +(?:parlement|sénat|congrès|chambre|conseil|peuple)(?:\p{L}|'|,| |~){0,60}? (?:a|ont|ayant) +(?:\p{L}+ +et +)?(?:délibéré|adopté|voté)` +
		`|le +(?:président|roi|premier +ministre|ministre|gouverneur)(?:\p{L}|'|,| |~){0,80}? (?:promulgue|décrète|arrête|ordonne)(?: |$)` +
		`|louange +à +dieu|(?:promulgue +)?la +loi +dont +la +teneur +suit` +
		`|vu +(?:la|le|les|l') *(?:constitution|loi|décret|ordonnance|arrêté|charte|acte|traité|dahir)` +
		`|sommaire +(?:titre|chapitre|article|page|livre)|tables? +des +matières)`)
	// The head of a division, in capitals or with one, and the word before it.
	divided = law.Pattern(`(\p{L}*)(?:^|[ .,;:~']+)(?:TITRE|Titre|CHAPITRE|Chapitre|LIVRE|Livre|PARTIE|Partie) +(?:PREMIER|Premier|premier|PRÉLIMINAIRE|PRELIMINAIRE|[IVX1](?:er|ER)?)(?: |[.:~]|$)`)
)

// onlyNamed are the folded words before the name of a division that is only mentioned: « modifiant le TITRE I ».
var onlyNamed = line.WordSet("le la les du de des d l au aux et ou dudit ce son nouveau")

// TrimObject returns an object without what follows the title.
func TrimObject(object string) string {
	end := len(object)
	for _, m := range afterTitle.FindAllStringIndex(object, -1) {
		if left := law.Fold(line.LastWord(object[:m[0]])); left != "que" { // « le règlement que le Conseil a adopté »
			end = m[0]
			break
		}
	}
	if m := line.Leader.FindStringIndex(object[:end]); m != nil {
		end = m[0]
	}
	for _, m := range divided.FindAllStringSubmatchIndex(object[:end], -1) {
		if !onlyNamed[law.Fold(object[m[2]:m[3]])] && m[0] > 0 {
			end = m[3]
			break
		}
	}
	if end < len(object) {
		object = strings.TrimRight(object[:end], " .,;:–—-")
	}
	return object
}

// LeastShared is the minimum share of an entry's words that the title of its text must contain.
const LeastShared = 0.6

// SharedWords returns the share of the words of a that occur in b.
func SharedWords(a, b string) float64 {
	has := map[string]bool{}
	for _, w := range longWords(b) {
		has[w] = true
	}
	words := longWords(a)
	n := 0
	for _, w := range words {
		if has[w] {
			n++
		}
	}
	return float64(n) / float64(max(len(words), 1))
}

// longWords returns the folded words of a title that have more than three letters; shorter ones are mostly
// articles and prepositions.
func longWords(text string) []string {
	var out []string
	for w := range strings.FieldsFuncSeq(law.Fold(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(w) > 3 {
			out = append(out, w)
		}
	}
	return out
}

// Words that introduce the day of a state, by kind, then what separates them from the day, and the day. AsOfWords are
// those of a version.
const (
	modifiedWords = `(?:date +de +(?:la +)?)?derni[èe]res? +(?:modifications?|mises? +à +jour|r[ée]visions?|actualisations?|consolidations?)(?: +(?:du +(?:texte|code)|des +donn[ée]es))?`
	AsOfWords     = `(?:(?:version|texte|[ée]tat|[ée]dition|code) +)?(?:consolid[ée]e?|coordonn[ée]e?|actualis[ée]e?|mise? +à +jour|à +jour)|(?:version|texte|dispositions) +(?:en +vigueur|applicables?)|[ée]tat|mise +à +jour`
	changedWords  = `modifi[ée]e?`
	stateLink     = ` *:? *(?:(?:en +date +du|à +la +date +du|jusqu'au|le|au|du) +)?`
	stateDay      = `(?:` + line.DateText + `|\d{1,2}[/.]\d{1,2}[/.]\d{4}|\d{4}-\d{2}-\d{2})`
)

// StateWords matches such words and their day, separated from what is around them. In a sentence that continues («
// modifié le 3 mai 2010 par la loi … ») the day is not that of the state.
var StateWords = law.Pattern(`(?i)(?:^|[(,;:|.~]|^CODE [^.;]{1,90}?) *((` + modifiedWords + `)|(` + AsOfWords + `)|` + changedWords + `)` + stateLink + `(` + stateDay + `) *(?:[])(.,;|]|$| ~)`)

// withoutState removes the words that give the day of its state from the end of a title.
func withoutState(title string) string {
	m := StateWords.FindStringSubmatchIndex(title)
	if m == nil {
		return title
	}
	if strings.Trim(title[m[9]:], " )].") != "" {
		return title
	}
	return strings.TrimRight(title[:m[2]], " (,;:|.-‐‑–—")
}
