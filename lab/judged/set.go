// Package judged has sets of articles with questions of which people have judged
// which articles answer them, as the search sees them: a source of an index, of
// its vectors, and the catalogue that is read from. Training and evaluation ask
// them alike.
package judged

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"vigueur/scripts/corpora"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/store/postgres"
	"vigueur/lab/judge"
	"vigueur/lab/training/encoder/learn"
)

// Question is one that was judged.
type Question struct {
	corpora.Query
	Split, Code string          // its sheet's group and code, in the set of codes
	Field       string          // … and the field of life that it is filed under
	Right       map[string]bool // the articles that answer it; none: nothing does
	Asked       *corpora.Asked  // with what an answer must say, where that is known
}

// Judge holds names of articles, the best first, against those that are right.
func (q *Question) Judge(found []string) judge.Judged {
	return judge.Judged{ID: q.ID, Group: q.Group, Ranking: judge.Rank(found, q.Right)}
}

// Set is articles and the questions asked of them.
type Set struct {
	Name      string
	Articles  []corpora.Article
	Questions []Question
	Corpus    *learn.Corpus   // where there are sheets
	Lexicon   *french.Lexicon // that questions are asked with; nil: the program's own
	Indexes   string          // folder that keeps the index, so that it is built once; "": it is built each time
	Countries []string        // whose law the articles are that are added, as the catalogue writes them; nil: unknown

	rows  []postgres.IndexRow
	at    map[uuid.UUID]int    // of a passage, among the rows
	names map[uuid.UUID]string // of articles
	kept  *catalogue           // of gazettes that were ingested; nil: rows tell all
}

// NewSet returns an empty set.
func NewSet(name string) *Set {
	return &Set{Name: name, at: make(map[uuid.UUID]int), names: make(map[uuid.UUID]string)}
}

// Codes is the set of citizens' questions over 75 codes, of a corpus that was read
// from the folder.
func Codes(dir string, c *learn.Corpus) (*Set, error) {
	s := NewSet("75 codes")
	s.Corpus, s.Countries = c, []string{"fr"}
	for _, a := range c.Articles {
		s.Add(corpora.Article{ID: a.ID, Title: a.Title, Text: a.Text}, a.Num)
	}
	queries := filepath.Join(dir, learn.QueriesFile)
	if err := s.ask(queries, filepath.Join(dir, learn.QrelsFile)); err != nil {
		return nil, err
	}
	i := 0
	err := learn.Lines(queries, func(line []byte) error {
		var q struct {
			ID    string `json:"_id"`
			Split string `json:"split_group"`
			Code  string `json:"code"`
			Theme string `json:"theme"`
		}
		err := json.Unmarshal(line, &q)
		if i < len(s.Questions) && s.Questions[i].ID == q.ID {
			s.Questions[i].Split, s.Questions[i].Code, s.Questions[i].Field = q.Split, q.Code, q.Theme
			i++
		}
		return err
	})
	return s, err
}

// The files of the labor code below the folder.
const (
	LaborFile        = "corpus.jsonl"
	LaborQueriesFile = "queries.train.jsonl"
	LaborQrelsFile   = "qrels.train.tsv"
)

// Labor is the set of typed questions about labor law.
func Labor(dir string) (*Set, error) {
	s := NewSet("labor code")
	s.Countries = []string{"fr"}
	err := corpora.Articles(filepath.Join(dir, LaborFile), func(a corpora.Article) {
		a.Title = "Code du travail > " + a.Title
		s.Add(a, a.ID)
	})
	if err != nil {
		return nil, err
	}
	err = s.ask(filepath.Join(dir, LaborQueriesFile), filepath.Join(dir, LaborQrelsFile))
	return s, err
}

// Files names the files of a set: articles and queries as JSON lines, judgments as
// lines of question, article and grade between tabulators.
type Files struct {
	Corpus, Queries, Qrels string
	GroupBy                string // the field of the queries that groups them by intention; "" for none
	Distractors            string // a file of more articles, which answer nothing; "" for none
}

// Read reads the set of some files. Questions that nobody judged are left out, and
// the first of the headings in an
// article's title is that of its text.
func Read(f Files) (*Set, error) {
	s := NewSet(filepath.Base(f.Corpus))
	var articles, more []corpora.Article
	if err := corpora.Articles(f.Corpus, func(a corpora.Article) { articles = append(articles, a) }); err != nil {
		return nil, err
	}
	if f.Distractors != "" {
		if err := corpora.Articles(f.Distractors, func(a corpora.Article) { more = append(more, a) }); err != nil {
			return nil, err
		}
	}
	s.addTexts(articles, "")
	s.addTexts(more, "distractor ")
	if err := s.askBy(f.Queries, f.Qrels, f.GroupBy); err != nil {
		return nil, err
	}
	if len(s.Questions) == 0 {
		return nil, fmt.Errorf("no question of %s has a judgment in %s", f.Queries, f.Qrels)
	}
	return s, nil
}

// addTexts adds articles with a mark before their names. Those of one text are put one
// behind the other, wherever they stood.
func (s *Set) addTexts(articles []corpora.Article, mark string) {
	title := func(a corpora.Article) string {
		first, _, _ := strings.Cut(a.Title, " > ")
		return mark + first
	}
	slices.SortStableFunc(articles, func(a, b corpora.Article) int { return strings.Compare(title(a), title(b)) })
	for _, a := range articles {
		number := a.ID
		a.ID, a.Title = mark+a.ID, mark+a.Title
		s.Add(a, number)
	}
}

// ask takes the questions that were judged.
func (s *Set) ask(queries, qrels string) error { return s.askBy(queries, qrels, "group") }

func (s *Set) askBy(queries, qrels, group string) error {
	right, err := corpora.Qrels(qrels)
	if err != nil {
		return err
	}
	all, err := corpora.Queries(queries, group)
	for _, q := range all {
		if len(right[q.ID]) > 0 {
			s.Questions = append(s.Questions, Question{Query: q, Split: q.Group, Right: right[q.ID]})
		}
	}
	return err
}

// countriesNamed returns the codes of the countries or unions that the name of a folder or of a jurisdiction has, nil for none.
func countriesNamed(name string) (codes []string) {
	for _, m := range country.In(strings.ReplaceAll(name, "-", " ")) {
		codes = append(codes, string(m.Codes[0]))
	}
	return codes
}

// Together returns a set of the articles of several sets, as one catalogue. Each question names the country of its set, as far as
// there is a name for it.
func Together(sets []*Set) *Set {
	all := NewSet("together")
	for _, s := range sets {
		for i := range s.rows {
			all.at[s.rows[i].Passage.ID] = len(all.rows)
			all.rows = append(all.rows, s.rows[i])
		}
		maps.Copy(all.names, s.names)
		for _, q := range s.Questions {
			if len(s.Countries) > 0 {
				q.Text = strings.TrimRight(q.Text, " ?.") + ", " + country.Name(country.Code(s.Countries[0])) + " ?"
			}
			all.Questions = append(all.Questions, q)
		}
	}
	return all
}

// partLimit is the length in bytes at which a long article is cut into passages,
// between paragraphs, as gazettes' articles are.
const partLimit = 1200

// Add takes an article in, whose title begins with that of its text and whose
// number is given; articles of one text follow one another.
func (s *Set) Add(a corpora.Article, number string) {
	s.Articles = append(s.Articles, a)
	title, path, _ := strings.Cut(a.Title, " > ")
	doc := uuid.NewSHA1(uuid.Nil, []byte(s.Name+"\n"+title))
	id := uuid.NewSHA1(doc, []byte(a.ID))
	s.names[id] = a.ID
	row := postgres.IndexRow{ArticleNumber: number, Title: title, Type: law.Code, Status: law.InForce, Countries: s.Countries, From: time.Unix(0, 0).UTC()}
	if path != "" {
		row.Path = strings.Split(path, " > ")
	}
	part, n := "", 0
	flush := func() {
		row.Passage = law.Passage{ID: uuid.NewSHA1(id, []byte{byte(n >> 8), byte(n)}), DocumentID: doc, ArticleID: id, Position: len(s.rows), Text: part}
		s.at[row.Passage.ID] = len(s.rows)
		s.rows = append(s.rows, row)
		part, n = "", n+1
	}
	for p := range strings.SplitSeq(a.Text, "\n\n") {
		if part != "" && len(part)+len(p) > partLimit {
			flush()
		}
		if part != "" {
			part += "\n"
		}
		part += p
	}
	flush()
}

// Passages is how many there are.
func (s *Set) Passages() int { return len(s.rows) }

// PerText is how many passages a text has on average.
func (s *Set) PerText() float64 {
	texts := make(map[uuid.UUID]bool)
	for i := range s.rows {
		texts[s.rows[i].Passage.DocumentID] = true
	}
	return float64(len(s.rows)) / float64(max(1, len(texts)))
}

// First returns the first passage of each article that some question is answered by, by the
// articles' names.
func (s *Set) First() map[string]uuid.UUID {
	right, out := make(map[string]bool), make(map[string]uuid.UUID)
	for i := range s.Questions {
		for name := range s.Questions[i].Right {
			right[name] = true
		}
	}
	for i := range s.rows {
		p := &s.rows[i].Passage
		name := s.names[p.ArticleID]
		if _, known := out[name]; right[name] && !known {
			out[name] = p.ID
		}
	}
	return out
}

// ArticleName is how the judgements call an article.
func (s *Set) ArticleName(id uuid.UUID) string { return s.names[id] }

// WithoutTexts is the set without the texts of some titles.
func (s *Set) WithoutTexts(out func(title string) bool) *Set {
	part := *s
	part.rows = slices.DeleteFunc(slices.Clone(s.rows), func(r postgres.IndexRow) bool { return out(r.Title) })
	part.at = make(map[uuid.UUID]int, len(part.rows))
	for i, r := range part.rows {
		part.at[r.Passage.ID] = i
	}
	return &part
}

// WithoutArticles is the set without the articles of some names; their texts stay, as far as
// they have others.
func (s *Set) WithoutArticles(out map[string]bool) *Set {
	part := *s
	part.rows = slices.DeleteFunc(slices.Clone(s.rows), func(r postgres.IndexRow) bool { return out[s.names[r.Passage.ArticleID]] })
	part.at = make(map[uuid.UUID]int, len(part.rows))
	for i, r := range part.rows {
		part.at[r.Passage.ID] = i
	}
	return &part
}

// Titles are the titles of the texts by the names of their articles.
func (s *Set) Titles() map[string]string {
	titles := make(map[string]string, len(s.names))
	for _, r := range s.rows {
		titles[s.names[r.Passage.ArticleID]] = r.Title
	}
	return titles
}

// EachArticle calls yield with the id and the name of each article.
func (s *Set) EachArticle(yield func(id uuid.UUID, name string)) {
	for id, name := range s.names {
		yield(id, name)
	}
}
