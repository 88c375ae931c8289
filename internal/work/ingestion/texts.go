package ingestion

import (
	"context"
	"fmt"
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
)

// cut splits the saved pages into texts.
func (j *job) cut(ctx context.Context) (cut postgres.Segmentation, err error) {
	pages, err := j.pages(ctx)
	if err != nil {
		return cut, err
	}
	if err := j.checkPages(pages); err != nil {
		return cut, err
	}
	layout.Arrange(pages)
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
	issue, err := j.split(ctx, pages, hints)
	if err != nil {
		return cut, err
	}
	if err := j.DB.SaveGazette(ctx, j.ID, j.Attempt, gazetteOf(issue)); err != nil {
		return cut, err
	}
	if len(issue.Texts) == 0 {
		return cut, errs.New(errs.Unprocessable, j.withMissing(issue.NoLaw.Sentence()))
	}
	for _, is := range slices.Backward(issue.Is) {
		j.missing = j.withMissing(is.Sentence())
	}
	j.missing = strings.TrimSpace(j.missing + " " + remains(issue.Remains))
	cut.Texts = make([]postgres.Text, len(issue.Texts))
	for i, t := range issue.Texts {
		j.missing = strings.TrimSpace(j.missing + " " + leftOut(t))
		if cut.Texts[i], err = j.identify(placeOf(t), t, issue); err != nil {
			return cut, err
		}
	}
	inheritCountries(cut.Texts, pages, said.Country)
	cut.Pages = linesOf(pages, issue, cut.Texts)
	j.noteEdits(&cut, edits, issue)
	return cut, ctx.Err()
}

// split segments pages. The end of a text that begins before the file becomes a text only
// if a person made it one, by accepting it when such ends still waited in review.
func (j *job) split(ctx context.Context, pages []layout.Page, hints gazette.Hints) (gazette.Issue, error) {
	issue := segment.Split(pages, hints)
	if issue.Remains == nil {
		return issue, nil
	}
	settled, err := j.DB.SettledByHand(ctx, j.ID, beginsAt(issue.Remains.First))
	if err != nil || !settled {
		return issue, err
	}
	hints.KeepRemains = true
	return segment.Split(pages, hints), nil
}

// remains returns a French sentence about the end of a text that begins before the file;
// "" if there is none.
func remains(r *gazette.Remains) string {
	if r == nil {
		return ""
	}
	where := fmt.Sprintf("p. %d", r.FirstPage)
	if r.LastPage > r.FirstPage {
		where += fmt.Sprintf("–%d", r.LastPage)
	}
	switch n := len(r.Articles); n {
	case 0:
	case 1:
		where += ", article " + r.Articles[0]
	default:
		where += fmt.Sprintf(", articles %s à %s", r.Articles[0], r.Articles[n-1])
	}
	return "Le fichier commence par la fin d’un texte dont le début manque (" + where + ") : sans titre, elle n’est pas au catalogue."
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

// hiddenWords is how many hidden words of a page are told: fewer are no sentence.
const hiddenWords = 5

// checkPages records which pages could not be read or are damaged, and rejects a file
// without words.
func (j *job) checkPages(pages []layout.Page) error {
	j.missing = unreadable(pages, j.PagesTotal, j.unread)
	if j.PagesAbsent > 0 {
		j.missing = strings.TrimSpace(fmt.Sprintf("%s Le fichier est tronqué : il lui manque %d page(s).", j.missing, j.PagesAbsent))
	}
	var garbled, hiding []int
	words := 0
	for _, p := range pages {
		words += len(p.Words)
		if p.Garbled() {
			garbled = append(garbled, p.Number)
		} else if p.Unseen >= hiddenWords {
			hiding = append(hiding, p.Number)
		}
	}
	if len(garbled) > 0 {
		j.missing = strings.TrimSpace(j.missing + " " + pagesSentence("abîmée", garbled, "Une partie des mots y est illisible."))
	}
	if len(hiding) > 0 {
		j.missing = strings.TrimSpace(j.missing + " Texte caché, p. " + ranges(hiding) + " : ce que personne ne voit sur la page est laissé de côté.")
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
	return strings.TrimSpace(sentence + " : " + ranges(numbers) + ". " + why)
}

// ranges writes numbers in order as « 3, 5–9 ».
func ranges(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		k := i
		for k+1 < len(numbers) && numbers[k+1] == numbers[k]+1 {
			k++
		}
		if k == i {
			parts = append(parts, fmt.Sprint(numbers[i]))
		} else {
			parts = append(parts, fmt.Sprintf("%d–%d", numbers[i], numbers[k]))
		}
		i = k + 1
	}
	return strings.Join(parts, ", ")
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
func (j *job) identify(place string, t gazette.Text, issue gazette.Issue) (postgres.Text, error) {
	out := postgres.Text{Document: t.Document, Doubts: remarks.Told(t.Doubts), Evidence: t.Evidence, Begins: beginsAt(t.First), Edited: t.Edited}
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
	out.Countries = countriesOf(out)
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
	from := t.Relations[w.Relation].Effective
	if from.IsZero() {
		from = d.EntersInForce
	}
	a.ValidFrom = &from
	a.Wording = &law.Wording{Within: j.articleID(text, w.Article), WithinNumber: t.Articles[w.Article].Number,
		Relation: j.relationID(text, w.Relation), Number: w.Number, Part: w.Part, Inserted: w.Inserted}
	return a
}

// add appends an article and its passages to a text.
func (j *job) add(out *postgres.Text, text string, a law.Article, wordings ...gazette.Wording) error {
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
