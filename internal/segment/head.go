package segment

import (
	"strings"
	"time"

	"vigueur/internal/law"
)

// kind is what a text calls itself, and what that is to the catalogue.
type kind struct {
	label  string // as a title begins: « Loi organique », « Arrêté interministériel »
	as     law.DocType
	sure   bool // the catalogue has this very kind, or one of the same force
	treaty bool // it binds states, for which the catalogue has no kind
}

// head is the beginning of a text: « LOI N° 2023-07 DU 14 MARS 2023 portant … ».
type head struct {
	at       int // index of its first line
	lines    int // how many lines the title takes
	kind     kind
	number   string
	date     time.Time // zero: not printed there
	dated    string    // the date as printed
	above    string    // the line over the title that has it, where the title has none
	object   string    // « portant Code du travail »
	trust    float64   // in what was read, 0: as printed
	abridged bool      // « Par décret n° … du …, M. … est nommé »: no title is printed
	seen     bool      // by a person
}

// The words by which texts call themselves; the longer ones first.
const kindWords = `((?i:lois? +constitutionnelles?|lois? +organiques?|loi +de +finances(?: +rectificative)?|loi~cadre|loi +d'orientation|d[ée]crets?~lois?|loi|ordonnance~loi|ordonnance|dahir(?: +portant +loi)?` +
	`|d[ée]cret(?: +(?:pr[ée]sidentiel|gouvernemental|ex[ée]cutif))?|arr[êe]t[ée](?:(?: |~)(?:interminist[ée]riel|minist[ée]riel|conjoint|municipal|pr[ée]fectoral|pr[ée]sidentiel|du +(?:premier +)?ministre))*` +
	`|d[ée]cision|d[ée]lib[ée]ration|note +circulaire|lettre +circulaire|circulaire(?: +interminist[ée]rielle)?(?: +aux +(?: |'|~|\p{L}){3,60}?)?|instruction|acte +uniforme|r[èe]glement))`

// textNumberPattern is an official number; blanks around its signs are the
// printer's.
const textNumberPattern = `((?:\d[\dA-Za-z]*|[A-Z]{1,4}[/.~]?\d+[\dA-Za-z]*)(?:(?: ?~ ?|_|\.|/| ?/ ?)[\dA-Za-z]+(?:\.[A-Z]+)*)*)`

var (
	headPattern = law.Pattern(`^\(?` + kindWords + ` *,? *(?:(?i:n) ?(?:[°º*˚®]|[oO]\b|ø)? ?[:.]?)? *` + textNumberPattern + `(?:,? *(?:(?i:en date )?(?i:du)) +(` + dateText + `))?`)
	// « Par décret n° 2023-044 du 5 avril 2023, … est nommé … »
	abridgedHead = law.Pattern(`^(?:Par|PAR) +` + kindWords + ` +n ?[°º*˚o] ?` + textNumberPattern + ` +(?:en date )?du +(` + dateText + `) *[,:.]`)
	// Where the words before an article, a visa or a formula begin.
	preambleStart = law.Pattern(`^(?:Vu\b|VU\b|Considérant|Attendu|Sur (?:le |la |l'|proposition|rapport|pr[ée]sentation)|SUR |L[ea] (?:[Pp]r[ée]sident|[Mm]inistre|[Pp]remi|[Gg]arde|Chef|CHEF|PR[ÉE]SIDENT|MINISTRE|PREMIER|[Cc]onseil|CONSEIL|Parlement|Congrès|Sénat|Gouverneur|[Dd]irect|[Mm]aire|[Pp]r[ée]fet|Peuple|peuple|Roi|[Cc]hambre)|L'(?:Assembl|ASSEMBL|Administrat|[Aa]utorit)|LE |LA +(?:MINISTRE|CHAMBRE)|L'ASSEMBL|Au nom |AU NOM |Après |Louange|LOUANGE|Par +(?:delegation|délégation)|Nous\b|D[ÉE]CR[ÈE]TE|ARR[ÊE]TE\b|Ont? (?:adopt|délibér)|A (?:adopté|délibéré|promulgué)|En application|Il est|PR[ÉE]AMBULE|Préambule|Le peuple|EXPOS[ÉE]|Exposé des motifs|Est promulgu|RAPPORT DE PR|Rapport de présentation|SOMMAIRE|(?i:promulgue la))`)
	// The formulas by which a text is made law; a mere mention has none of them.
	enacting  = law.Pattern(`(?i:délibéré et adopté|delibere et adopte|a adopté|ont adopté|a adopte\b|promulgue\b|dont la teneur suit|d[ée]cr[èe]te(?:nt)? *:?$|arr[êe]te(?:nt)? *:?$|ordonne *:?$|d[ée]cide *:?$)|^Vu (?:la |le |l'|les )|^VU |^Sur (?:le rapport|proposition|la proposition|présentation)|^(?i:rapport +de +pr.sent)`)
	notYetLaw = law.Pattern(`(?i)\b(?:avant~projet|projet de (?:loi|d[ée]cret|code|constitution)|proposition de loi|guide|manuel|formulaire|brochure|vade~mecum|note de présentation|rapport annuel|foire aux questions)\b`)
)

// kindOf maps the words of a head to a kind.
func kindOf(words string) kind {
	f := law.Fold(words)
	k := kind{label: properLabel(f), sure: true}
	switch {
	case strings.HasPrefix(f, "loi constitutionnelle"), strings.HasPrefix(f, "lois constitutionnelle"):
		k.as = law.Constitution
	case strings.HasPrefix(f, "lo"), strings.HasPrefix(f, "ordonnance"), strings.HasPrefix(f, "decret-loi"), strings.HasPrefix(f, "dahir"):
		k.as = law.Loi
	case strings.HasPrefix(f, "decret"):
		k.as = law.Decret
	case strings.HasPrefix(f, "arrete"):
		k.as = law.Arrete
	case strings.Contains(f, "circulaire"):
		k.as = law.Circulaire
	case strings.HasPrefix(f, "instruction"):
		k.as, k.sure = law.Circulaire, false
	case strings.HasPrefix(f, "decision"), strings.HasPrefix(f, "deliberation"):
		k.as, k.sure = law.Arrete, false
	default: // a uniform act, a regulation of a community of states
		k.as, k.sure = law.Loi, false
	}
	return k
}

// The accents that capitals often lose in print.
var accents = strings.NewReplacer("decret", "décret", "arrete", "arrêté", "reglement", "règlement", "decision", "décision", "deliberation", "délibération",
	"traite", "traité", "presidentiel", "présidentiel", "executif", "exécutif", "prefectoral", "préfectoral", "interministeriel", "interministériel", " ministeriel", " ministériel")

// properLabel writes a folded label with its accents and a capital.
func properLabel(folded string) string {
	label := accents.Replace(folded) // folded begins with one of a to z
	return strings.ToUpper(label[:1]) + label[1:]
}

// headAt reads the head of a text that begins at lines[i], with its title.
func headAt(lines []line, i int) (head, bool) {
	if m := abridgedHead.FindStringSubmatch(joined(lines[i:min(i+3, len(lines))])); m != nil {
		h := head{at: i, kind: kindOf(m[1]), number: law.TextNumber(m[2]), dated: m[3], abridged: true}
		h.date, _, _, _ = law.FindDate(m[3])
		return h, true
	}
	if !headPattern.MatchString(lines[i].text) && !(lines[i].mid && i+1 < len(lines) && headPattern.MatchString(lines[i].text+" "+lines[i+1].text)) {
		return head{}, false
	}
	if originNote.MatchString(lines[i].text) {
		return head{}, false
	}
	h := head{at: i}
	h.lines = titleLines(lines[i:])
	ok := h.read(joined(lines[i : i+h.lines]))
	return h, ok
}

// originNote names, in brackets and alone on its line, the text that an article
// comes from: « (Loi n° 83-53 du 18 février 1983) ».
var originNote = law.Pattern(`^[({[] *(?i:(?:ainsi )?(?:modifi|abrog|compl[ée]t|ins[ée]r|ajout|remplac|cr[éeé]{2}|introduit|rectifi)\p{L}* +(?:et .{0,40})?(?:par|de) .*|` + kindWords + `.{0,14}` + textNumberPattern + `.{0,60})[^)}\]]{0,3}[)}\]] *[*.+]?$`)

// read takes kind, number, date and object from a whole title.
func (h *head) read(title string) bool {
	m := headPattern.FindStringSubmatchIndex(title)
	if len(m) == 0 || !strings.ContainsAny(title[m[4]:m[5]], "0123456789") {
		return false
	}
	h.kind = kindOf(title[m[2]:m[3]])
	h.number = law.TextNumber(title[m[4]:m[5]])
	if m[6] >= 0 {
		h.dated = title[m[6]:m[7]]
		h.date, _, _, _ = law.FindDate(h.dated)
	}
	h.object = strings.TrimSpace(title[m[1]:])
	h.lunar()
	if h.object != "" && strings.ContainsAny(h.object[:1], ".:") && !h.abridged { // « Arrêté n° 1373 du 4 juin 2025. M. … »
		rest := strings.TrimLeft(h.object, ".: ")
		if h.object[0] == '.' && rest != "" {
			h.abridged, h.lines, h.object = true, 0, ""
			return true
		}
		h.object = rest
	}
	h.object = strings.Trim(h.object, " .,;:–—-")
	h.object = footMark.ReplaceAllString(h.object, "")
	if strings.HasPrefix(title, "(") && !strings.Contains(h.object, "(") {
		h.object = strings.TrimRight(h.object, ")")
	}
	return true
}

var (
	// « du 14 rejeb 1424 (11 septembre 2003) »
	lunarDate    = law.Pattern(`^(?i:du|en date du) +\d{1,2}(?i:er)? +\p{L}[\p{L} '~]{2,20} +\d{4} *\((` + dateText + `)\) *`)
	promulgating = law.Pattern(`(?i)^portant +promulgation +de +la +loi +n ?[°º*˚o]\.? *` + textNumberPattern + ` *`)
)

// specks is what recognition makes of dirt before the first word of a line.
var specks = law.Pattern(`^[^\p{L}\d«"(]{1,3} *`)

// dangling is a line that cannot end a title.
var dangling = law.Pattern(`(?i)(?:^|[ '])(?:de|du|des|d'|la|le|les|l'|en|et|ou|à|au|aux|par|pour|sur|dans|portant|relatifs?|relatives?|fixant|entre|avec|n ?[°º])$`)

// subject is how a circular names its object.
var subject = law.Pattern(`^(?i:objet) *:`)

// footMark is what a printer hangs on a title: « (1) », « (*) », « * 1 », and in
// brackets where the text was published.
var footMark = law.Pattern(`(?: *\( *(?i:publi|bulletin|j\.? ?o\b|journal)[^()]*(?:\([^()]*\)[^()]*)*\))?(?: *(?:\((?:\d{1,2}|\*+)\)|\*+ *\d{0,2}))* *\.?$`)

// lunar reads a date that the calendar of the Hijra gives first. A dahir that
// promulgates a law is known by the law's number.
func (h *head) lunar() {
	if m := lunarDate.FindStringSubmatchIndex(h.object); m != nil && h.date.IsZero() {
		h.dated = h.object[m[2]:m[3]]
		h.date, _, _, _ = law.FindDate(h.dated)
		h.object = h.object[m[1]:]
	}
	if m := promulgating.FindStringSubmatchIndex(h.object); m != nil && strings.HasPrefix(h.kind.label, "Dahir") {
		h.kind.label, h.number = "Loi", law.TextNumber(h.object[m[2]:m[3]])
		h.object = h.object[m[1]:]
	}
}

// titleLines tells how many lines the title takes that begins at lines[0].
func titleLines(lines []line) int {
	n := 1
	for n < len(lines) && n < 14 {
		prev, next := lines[n-1], lines[n]
		if preambleStart.MatchString(specks.ReplaceAllString(next.text, "")) && (next.opens || next.mid != prev.mid) {
			break
		}
		if next.heads() && (next.opens || next.mid) || headPattern.MatchString(next.text) && mayHead(&prev, next) && headPattern.MatchString(lines[0].text) {
			break
		}
		if headPattern.MatchString(lines[0].text) && strings.HasSuffix(prev.text, ".") && n > 1 {
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

// title writes the head as a title in running words.
func (h head) title() string {
	t := h.kind.label
	if h.number != "" {
		t += " n° " + h.number
	}
	if h.dated != "" {
		t += " du " + lowerDate(h.dated)
	}
	if at := subject.FindStringIndex(h.object); at != nil { // « Objet : … », of a circular
		t += " : " + strings.TrimSpace(h.object[at[1]:])
	} else if h.object != "" {
		t += " " + h.object
	}
	return t
}

// months are those that capitals often leave without their accent.
var months = strings.NewReplacer("fevrier", "février", "aout", "août", "decembre", "décembre")

// lowerDate writes a date's month in small letters, one blank between the parts.
func lowerDate(dated string) string {
	return months.Replace(strings.ToLower(strings.Join(strings.Fields(dated), " ")))
}

// key names a text within an issue: its force and its number.
func (h head) key() string { return string(h.kind.as) + " " + strings.ToUpper(h.number) }

// pagesOf gives the first and the last page of lines.
func pagesOf(lines []line) (first, last int) {
	for i, l := range lines {
		if i == 0 {
			first, last = l.Page, l.Page
		}
		first, last = min(first, l.Page), max(last, l.Page)
	}
	return first, last
}
