package ingestion

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/heads"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// Proposal is a decision of a person about a file that fits another file of the same house. Nothing applies it but a person.
type Proposal struct {
	Field    string     // doc_type, nature, numero_officiel; kind and pays of the whole file; split and merge at a line
	Value    string     // "" for split and merge
	Document *uuid.UUID // the text in review that it is for
	Page     int        // of the line, 0 for none
	Rect     law.Rect
	Words    string // of the line or of the text's title
	From     postgres.SettledFile
}

// The fields of proposals that are none of a text.
const (
	kindField    = "kind"
	countryField = "pays"
)

// mostProposals bounds the proposals of a file: a person reads no more.
const mostProposals = 100

// Proposals returns what persons have decided about files of the house of a file that would apply to it, the last decision
// first. Of two decisions that contradict each other only the last one is proposed.
func Proposals(ctx context.Context, db *postgres.DB, ingestion uuid.UUID) ([]Proposal, error) {
	settled, err := db.SettledInHouse(ctx, ingestion)
	if err != nil || len(settled) == 0 {
		return nil, err
	}
	p := proposer{known: map[string]bool{}}
	if p.said, err = db.SaidOfFile(ctx, ingestion); err != nil {
		return nil, err
	}
	if p.reviews, err = db.Reviews(ctx, ingestion); err != nil {
		return nil, err
	}
	pages, err := db.FileLines(ctx, ingestion)
	if err != nil {
		return nil, err
	}
	p.lines = pages
	for _, from := range settled {
		p.ofFile(from)
		for _, r := range p.reviews {
			for _, t := range from.Texts {
				p.ofText(r, t, from)
			}
		}
		edits, err := db.Edits(ctx, from.ID)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(edits, begins) {
			continue
		}
		there, err := db.FileLines(ctx, from.ID)
		if err != nil {
			return nil, err
		}
		for _, row := range slices.Backward(edits) {
			if e, err := EditOf(row); err == nil && begins(row) {
				p.ofEdit(e, there, from)
			}
		}
	}
	return p.out[:min(len(p.out), mostProposals)], nil
}

// begins reports whether an edit in effect says where texts begin.
func begins(row postgres.Edit) bool {
	kind := gazette.EditKind(row.Kind)
	return row.UndoneAt == nil && (kind == gazette.SplitHere || kind == gazette.MergeBefore)
}

// proposer collects the proposals for a file.
type proposer struct {
	said    postgres.SaidOfFile
	reviews []postgres.Review
	lines   fileLines
	known   map[string]bool // what is proposed, or decided by a later decision
	out     []Proposal
}

// add adds a proposal unless a later decision concerns the same thing.
func (p *proposer) add(at string, n Proposal) {
	if key := n.Field + at; !p.known[key] {
		p.known[key] = true
		p.out = append(p.out, n)
	}
}

// ofFile proposes what was said of a whole file.
func (p *proposer) ofFile(from postgres.SettledFile) {
	if from.Said.Kind != "" && p.said.Kind == "" {
		p.add("", Proposal{Field: kindField, Value: from.Said.Kind, From: from})
	}
	if from.Said.Country != "" && p.said.Country == "" {
		p.add("", Proposal{Field: countryField, Value: from.Said.Country, From: from})
	}
}

// ofText proposes what was decided about a text for a text in review whose title begins alike.
func (p *proposer) ofText(r postgres.Review, t postgres.SettledText, from postgres.SettledFile) {
	d := r.Document
	if lead := leadOf(d.Title); lead == "" || lead != leadOf(t.Read.Title) {
		return
	}
	doubted := func(field string) bool {
		return slices.ContainsFunc(r.Doubts, func(doubt law.Doubt) bool { return doubt.Field == field })
	}
	add := func(field, value string) {
		p.add(d.ID.String(), Proposal{Field: field, Value: value, Document: &d.ID, Words: d.Title, From: from})
	}
	if doubted("doc_type") {
		add("doc_type", string(t.Type))
	}
	if t.Nature != t.Read.Nature && d.Nature == t.Read.Nature {
		add("nature", t.Nature)
	}
	if doubted("numero_officiel") && t.Number != "" {
		for _, e := range r.Evidence {
			if number := inFormOf(t.Number, e.Words); e.Field != "date_promulgation" && number != "" && number != d.OfficialNumber {
				add("numero_officiel", number)
			}
		}
	}
}

// ofEdit proposes to begin a text, or to begin none, at lines that begin as the line of an edit does, if there all such
// lines begin texts, or none does.
func (p *proposer) ofEdit(e gazette.Edit, there fileLines, from postgres.SettledFile) {
	lead, split := leadOf(e.Lines[0].Text), e.Kind == gazette.SplitHere
	if lead == "" || there.linesWithLead(lead, !split) != nil {
		return
	}
	for _, at := range p.lines.linesWithLead(lead, !split) {
		place := p.lines.place(at)
		p.add(at.String(), Proposal{Field: string(e.Kind), Page: place.Page, Rect: place.Rect, Words: p.lines.at(at).Text, From: from})
	}
}

// linesWithLead returns the lines that begin with a lead and at which a text begins, or none does.
func (s fileLines) linesWithLead(lead string, text bool) (out []lineIndex) {
	for k, page := range s {
		for n, l := range page.Lines {
			at := lineIndex{k, n}
			if heads.StartsBig(l.Text) && leadOf(l.Text) == lead && s.begins(at) == text {
				out = append(out, at)
			}
		}
	}
	return out
}

// leadWords is how many words a lead has at most: « Note de service » and a word of its object.
const leadWords = 4

// leadOf returns the folded words with which a title begins, before its number or day.
func leadOf(title string) string {
	var words []string
	for w := range strings.FieldsFuncSeq(law.Fold(title), func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9') }) {
		if len(words) == leadWords || w == "n" || w == "no" || w == "du" || w[0] <= '9' {
			break
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

// runs matches a run of figures or of letters of a number.
var runs = regexp.MustCompile(`[0-9]+|\p{L}+`)

// inFormOf returns the number in words that has as many figures for a year, and the same letters, as a known number, written
// as that one is; "" if there is none. « N° 2010 - 235 / PRES » is « 2010-235/PRES » where « 2010-113/PRES » is known.
func inFormOf(known, words string) string {
	var form strings.Builder
	form.WriteString(`(?i)(?:^|[^\p{L}\p{N}])`)
	at := 0
	for k, m := range runs.FindAllStringIndex(known, -1) {
		if k > 0 {
			form.WriteString(`[ ./_~–-]`)
			if known[at-1] <= '9' && known[m[0]] <= '9' {
				form.WriteString("+")
			} else {
				form.WriteString("*")
			}
		}
		switch run := known[m[0]:m[1]]; {
		case run[0] > '9':
			form.WriteString(regexp.QuoteMeta(run))
		case len(run) == 4:
			form.WriteString(`((?:19|20)\d\d)`)
		default:
			form.WriteString(`(\d+)`)
		}
		at = m[1]
	}
	if at == 0 {
		return ""
	}
	pattern, err := regexp.Compile(form.String() + `(?:$|[^\p{L}\p{N}])`)
	if err != nil {
		return ""
	}
	found := pattern.FindStringSubmatch(words)
	if found == nil {
		return ""
	}
	next := 0
	return law.TextNumber(runs.ReplaceAllStringFunc(known, func(run string) string {
		if run[0] > '9' {
			return run
		}
		next++
		return found[next]
	}))
}

// TruthOf returns a reviewed file as the laboratory reads the truth about gazettes: its name there, and its entry.
func TruthOf(f postgres.ReviewedFile) (name string, entry Truth) {
	country := f.Said.Country
	for _, c := range f.Countries {
		if country == "" {
			country = c
		}
	}
	if country == "" {
		country = "inconnu"
	}
	entry = Truth{SHA256: f.SHA256, Kind: f.Said.Kind, Texts: []TruthText{}}
	for i, d := range f.Texts {
		entry.Texts = append(entry.Texts, TruthText{Type: d.Type, Nature: d.Nature, Number: d.OfficialNumber, Date: d.Promulgated.Format(time.DateOnly),
			Title: d.Title, Page: d.FirstPage, Articles: f.Articles[i]})
	}
	return country + "/" + f.SHA256[:8] + "-" + f.Filename, entry
}

// Truth is what persons have settled about a file.
type Truth struct {
	SHA256 string      `json:"sha256"`
	Kind   string      `json:"kind,omitempty"`
	Texts  []TruthText `json:"texts"`
}

// TruthText is a text of a file.
type TruthText struct {
	Type     law.DocType `json:"type"`
	Nature   string      `json:"nature,omitempty"`
	Number   string      `json:"number"`
	Date     string      `json:"date"`
	Title    string      `json:"title"`
	Page     int         `json:"page"`
	Articles int         `json:"articles"`
}
