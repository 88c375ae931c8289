package ingestion

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/admission"
)

// cut splits the saved pages into texts.
func (j *job) cut(ctx context.Context) (cut postgres.Segmentation, err error) {
	pages, err := j.pages(ctx)
	if err != nil {
		return cut, err
	}
	layout.Arrange(pages)
	if err := j.checkPages(pages); err != nil {
		return cut, err
	}
	layout.DropWords(pages) // otherwise a long file would be in memory twice
	hints, err := j.hints()
	if err != nil {
		return cut, err
	}
	edits, applied, err := j.loadEdits(ctx)
	if err != nil {
		return cut, err
	}
	hints.Edits, hints.Today = applied, j.Now()
	said, err := j.DB.SaidOfFile(ctx, j.ID)
	if err != nil {
		return cut, err
	}
	hints.Is, hints.Country = gazette.FileKind(said.Kind), said.Country
	issue := segment.Split(pages, hints)
	if err := j.DB.SaveGazette(ctx, j.ID, j.Attempt, gazetteOf(issue)); err != nil {
		return cut, err
	}
	if len(issue.Texts) == 0 {
		return cut, errs.New(errs.Unprocessable, j.withMissing(issue.NoLaw.Sentence()))
	}
	for _, remark := range slices.Backward(issue.Is) {
		j.missing = j.withMissing(remark.Sentence())
	}
	j.missing = strings.TrimSpace(j.missing + " " + remains(issue.Remains))
	j.missing = strings.TrimSpace(j.missing + " " + outside(issue.Lines))
	cut.Texts = make([]postgres.StoredText, len(issue.Texts))
	for i, t := range issue.Texts {
		j.missing = strings.TrimSpace(j.missing + " " + leftOut(t))
		if cut.Texts[i], err = j.identify(placeOf(t), t, issue); err != nil {
			return cut, err
		}
	}
	assignCountries(cut.Texts, pages, said.Country)
	cut.Pages = linesOf(pages, issue, cut.Texts)
	j.noteEdits(&cut, edits, issue)
	return cut, ctx.Err()
}

// remains returns a French sentence about the end of a text that begins before the file;
// "" if there is none.
func remains(r *gazette.Remains) string {
	if r == nil {
		return ""
	}
	place := fmt.Sprintf("p. %d", r.FirstPage)
	if r.LastPage > r.FirstPage {
		place += fmt.Sprintf("–%d", r.LastPage)
	}
	switch n := len(r.Articles); n {
	case 0:
	case 1:
		place += ", article " + r.Articles[0]
	default:
		place += fmt.Sprintf(", articles %s à %s", r.Articles[0], r.Articles[n-1])
	}
	return "Le fichier commence par la fin d’un texte dont le début manque (" + place + ") : sans titre, elle n’est pas au catalogue."
}

// outside returns a French sentence about the pages of which most is neither in a text nor in a summary or the like, with
// the share of the file's letters; "" if there is no such page.
func outside(lines []gazette.LabeledLine) string {
	type letters struct{ all, outside int }
	var file letters
	byPage := map[int]letters{}
	for _, l := range lines {
		p := byPage[l.Page]
		n := len(l.Text)
		p.all, file.all = p.all+n, file.all+n
		if l.Label == gazette.LabelLoose {
			p.outside, file.outside = p.outside+n, file.outside+n
		}
		byPage[l.Page] = p
	}
	var pages []int
	for _, n := range slices.Sorted(maps.Keys(byPage)) {
		if p := byPage[n]; 2*p.outside > p.all {
			pages = append(pages, n)
		}
	}
	if len(pages) == 0 {
		return ""
	}
	return fmt.Sprintf("Hors de tout texte : %d %% du fichier (p. %s).", max(1, 100*file.outside/file.all), remarks.Ranges(pages))
}

// leftOutShown is the maximum number of runs of numbers that a remark lists.
const leftOutShown = 8

// leftOut returns a French sentence about gaps in the numbers of a text's articles:
// articles that the file lacks or that were not recognized; "" if there are none.
func leftOut(t gazette.Text) string {
	runs := t.Absent
	if len(runs) == 0 {
		return ""
	}
	name := strings.TrimSpace(string(t.Document.Type) + " " + t.Document.OfficialNumber)
	if len(runs) > leftOutShown {
		runs = append(slices.Clone(runs[:leftOutShown]), "…")
	}
	return strings.Replace(fmt.Sprintf("Numéros d’articles absents (%s) : %s.", name, strings.Join(runs, ", ")), "….", "…", 1)
}

// checkPages records which pages could not be read or are damaged, and rejects a file
// without words.
func (j *job) checkPages(pages []layout.Page) error {
	j.missing = unreadable(pages, j.PagesTotal, j.unread)
	if j.PagesAbsent > 0 {
		j.missing = strings.TrimSpace(fmt.Sprintf("%s Le fichier est tronqué : il lui manque %d page(s).", j.missing, j.PagesAbsent))
	}
	var garbled, disordered, hiding []int
	words := 0
	for _, p := range pages {
		words += len(p.Words)
		switch {
		case p.Garbled():
			garbled = append(garbled, p.Number)
		case p.Disordered():
			disordered = append(disordered, p.Number)
		case p.Unseen > 0:
			hiding = append(hiding, p.Number)
		}
	}
	if len(garbled) > 0 {
		j.missing = strings.TrimSpace(j.missing + " " + pagesSentence("abîmée", garbled, "Une partie des mots y est illisible."))
	}
	if len(disordered) > 0 {
		j.missing = strings.TrimSpace(j.missing + " " + pagesSentence("désordonnée", disordered, "Les mots ne s’y suivent pas."))
	}
	if len(hiding) > 0 {
		j.missing = strings.TrimSpace(j.missing + " Texte caché, p. " + remarks.Ranges(hiding) + " : ce que personne ne voit sur la page est laissé de côté.")
	}
	if words > 0 {
		return nil
	}
	return errs.New(errs.Unprocessable, j.withMissing("Aucun mot n’a pu être lu dans ce fichier."))
}

// withMissing appends to a sentence why pages could not be read.
func (j *job) withMissing(sentence string) string {
	return strings.TrimSpace(sentence + " " + j.missing)
}

// unreadable returns a French sentence about the pages that have a fault or were not read
// (unread says why), "" if there are none.
func unreadable(pages []layout.Page, total int, unread string) string {
	var sentences []string
	there := map[int]bool{}
	faulty := map[string][]int{}
	var faults []string
	for _, p := range pages {
		there[p.Number] = true
		if p.Fault == "" {
			continue
		}
		if faulty[p.Fault] == nil {
			faults = append(faults, p.Fault)
		}
		faulty[p.Fault] = append(faulty[p.Fault], p.Number)
	}
	for _, fault := range faults {
		sentences = append(sentences, pagesSentence("illisible", faulty[fault], fault))
	}
	var left []int
	for n := 1; n <= total; n++ {
		if !there[n] {
			left = append(left, n)
		}
	}
	if len(left) > 0 {
		sentences = append(sentences, pagesSentence("non lue", left, unread))
	}
	return strings.Join(sentences, " ")
}

// pagesSentence returns a sentence such as « Pages illisibles : 3, 5–9. », followed by why.
// The parameter what is the French adjective in the singular.
func pagesSentence(what string, numbers []int, why string) string {
	sentence := "Page " + what
	if len(numbers) > 1 {
		sentence = "Pages " + what + "s"
	}
	return strings.TrimSpace(sentence + " : " + remarks.Ranges(numbers) + ". " + why)
}

// idNamespace is the name space of the ids that are derived from a file's content.
var idNamespace = uuid.MustParse("6f0c1d1e-5d5b-5f0e-9f43-0d8a5a1e7c11")

// idOf derives an id from the file's bytes and a place in the file, so that segmenting the
// same file again gives the same ids.
func (j *job) idOf(format string, place ...any) uuid.UUID {
	return uuid.NewSHA1(idNamespace, []byte(j.SHA256+"/"+fmt.Sprintf(format, place...)))
}

// placeOf returns a text's place in its file, for its id. It is the text's index before any
// edits, so that edits change no other text's id; for a text that an edit made, it is the
// place where the text begins.
func placeOf(t gazette.Text) string {
	if t.Origin >= 0 {
		return strconv.Itoa(t.Origin)
	}
	return "at " + beginsAt(t.First)
}

// identify sets the ids of a text and of everything in it, cuts its articles into passages,
// and fills in missing dates.
func (j *job) identify(place string, t gazette.Text, issue gazette.Issue) (postgres.StoredText, error) {
	out := postgres.StoredText{Document: t.Document, Doubts: remarks.Told(t.Doubts), Evidence: t.Evidence, Begins: beginsAt(t.First), Edited: t.Edited}
	d := &out.Document
	d.ID, d.IngestionID = j.idOf("%s", place), j.ID
	out.Doubts = j.complete(d, out.Doubts, issue.Date)
	for n, a := range t.Articles {
		a.ID, a.DocumentID = j.articleID(place, n), d.ID
		given := slices.DeleteFunc(slices.Clone(t.Wordings), func(w gazette.Wording) bool { return w.Article != n })
		if err := j.add(&out, place, a, given...); err != nil {
			return out, err
		}
		for k, w := range given {
			if err := j.add(&out, place, j.wording(d, place, k, w, t)); err != nil {
				return out, err
			}
		}
	}
	for _, p := range out.Passages {
		if !p.Quoted {
			d.Passages++
		}
	}
	for n, r := range t.Relations {
		relation := r.Relation
		relation.ID, relation.SourceID = j.relationID(place, n), d.ID
		relation.SourceArticle = j.articleID(place, r.Article)
		if relation.Effective.IsZero() {
			relation.Effective = d.EntersInForce
		}
		out.Relations = append(out.Relations, relation)
	}
	return out, nil
}

func (j *job) articleID(text string, n int) uuid.UUID  { return j.idOf("%s/%d", text, n) }
func (j *job) relationID(text string, n int) uuid.UUID { return j.idOf("%s/r%d", text, n) }

// wording makes an article from the k-th new wording that an article of the amending text t
// gives. It is in force from the day of the amendment.
func (j *job) wording(d *law.Document, text string, k int, w gazette.Wording, t gazette.Text) law.Article {
	a := t.Wording(w)
	a.ID, a.DocumentID = j.idOf("%s/%d/w%d", text, w.Article, k), d.ID
	start := t.Relations[w.Relation].Effective
	if start.IsZero() {
		start = d.EntersInForce
	}
	a.ValidFrom = &start
	a.Wording = &law.Wording{Within: j.articleID(text, w.Article), WithinNumber: t.Articles[w.Article].Number,
		Relation: j.relationID(text, w.Relation), Number: w.Number, Part: w.Part, Inserted: w.Inserted}
	return a
}

// add appends an article and its passages to a text.
func (j *job) add(out *postgres.StoredText, text string, a law.Article, wordings ...gazette.Wording) error {
	a.Position = len(out.Articles)
	passages, err := j.passages(text, len(out.Passages), a, wordings...)
	if err != nil {
		return err
	}
	out.Articles = append(out.Articles, a)
	out.Passages = append(out.Passages, passages...)
	return nil
}

// passages cuts an article into passages; first is the number of passages before it in its
// text. It fails if the joined passages differ from the article, because nobody would
// notice a silent loss.
func (j *job) passages(text string, first int, a law.Article, wordings ...gazette.Wording) ([]law.Passage, error) {
	cuts := segment.Passages(a, wordings...)
	var whole strings.Builder
	for n := range cuts {
		p := &cuts[n]
		whole.WriteString(p.Text)
		p.Position = first + n
		p.ID, p.DocumentID, p.ArticleID = j.idOf("%s/p%d", text, p.Position), a.DocumentID, a.ID
	}
	if whole.String() != a.Text {
		return nil, fmt.Errorf("text %s, article %d (%q): its %d passages are not its text", text, a.Position, a.Number, len(cuts))
	}
	return cuts, nil
}

// gazetteOf returns the issue of a gazette that a file is, nil if the file names no gazette.
func gazetteOf(issue gazette.Issue) *law.Gazette {
	if issue.Name == "" {
		return nil
	}
	g := law.Gazette{Name: issue.Name, Number: issue.Number}
	if issue.Date != nil {
		g.Day = issue.Date.Format(time.DateOnly)
	}
	return &g
}

// hints reads the row's metadata.
func (j *job) hints() (h gazette.Hints, err error) {
	var m admission.Metadata
	if len(j.Metadata) > 0 {
		if err := json.Unmarshal(j.Metadata, &m); err != nil {
			return h, errs.Wrap(errs.Unprocessable, "Les métadonnées de l’ingestion ne sont pas lisibles.", err)
		}
	}
	h = gazette.Hints{Filename: j.Filename, Title: m.Title, Type: m.Type, Nature: strings.TrimSpace(m.Nature), OfficialNumber: m.OfficialNumber, Domain: m.Domain}
	if h.Promulgated, err = day(m.Promulgated); err != nil {
		return h, err
	}
	if h.EntersInForce, err = day(m.EntersInForce); err != nil {
		return h, err
	}
	h.Published, err = day(m.Published)
	return h, err
}

// day reads a date of the metadata; nil for none.
func day(s string) (*time.Time, error) {
	if s == "" {
		return nil, nil
	}
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return nil, errs.Wrap(errs.Unprocessable, fmt.Sprintf("« %s » n’est pas une date de la forme AAAA-MM-JJ.", s), err)
	}
	return &t, nil
}

// complete fills in required fields that were not read from the text: title, type, domain
// and dates. A made-up title, type or date of promulgation adds a doubt.
func (j *job) complete(d *law.Document, doubts []law.Doubt, issued *time.Time) []law.Doubt {
	doubt := func(field, reason string) {
		if !slices.ContainsFunc(doubts, func(known law.Doubt) bool { return known.Field == field }) {
			doubts = append(doubts, law.Doubt{Field: field, Reason: reason})
		}
	}
	if strings.TrimSpace(d.Title) == "" {
		d.Title = strings.TrimSuffix(j.Filename, filepath.Ext(j.Filename))
		doubt("title", "Le titre n’a pas été trouvé ; le nom du fichier est mis à sa place.")
	}
	if d.Type == "" {
		d.Type = law.Loi
		doubt("doc_type", "La nature du texte n’a pas été reconnue.")
	}
	if d.Domain == "" {
		d.Domain = "autre"
	}
	made := d.Promulgated.IsZero() && issued == nil
	switch {
	case !d.Promulgated.IsZero():
	case issued != nil:
		d.Promulgated = *issued
		doubt("date_promulgation", "La date de promulgation n’a pas été trouvée ; celle du journal est mise à sa place.")
	default:
		d.Promulgated = j.CreatedAt.UTC().Truncate(24 * time.Hour)
		doubt("date_promulgation", "La date de promulgation n’a pas été trouvée ; celle de l’ingestion est mise à sa place jusqu’à ce qu’elle soit donnée.")
	}
	if d.EntersInForce.IsZero() {
		d.EntersInForce = d.Promulgated
		if made {
			doubt("date_entree_vigueur", "La date d’entrée en vigueur dépend de celle de promulgation, qui n’a pas été trouvée.")
		}
	}
	return doubts
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
