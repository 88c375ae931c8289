package judged

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"vigueur/scripts/corpora"

	"github.com/google/uuid"

	"vigueur/e2e/stage"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/ops/config"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/admission"
	"vigueur/lab/judge"
)

// catalogue is what is kept of a catalogue of real gazettes, so that questions can
// be asked of it without ingesting them again.
type catalogue struct {
	Rows   []postgres.IndexRow
	Found  map[uuid.UUID]postgres.Found
	Quoted map[uuid.UUID][]law.Passage
	Files  map[uuid.UUID]string // of texts, by their path below the folder of gazettes; "" for others
}

// Gazettes reads a catalogue into which the gazettes of a folder were ingested.
func Gazettes(ctx context.Context, db *postgres.DB, folder string) (*Set, error) {
	c := &catalogue{Found: make(map[uuid.UUID]postgres.Found), Files: make(map[uuid.UUID]string)}
	var passages, articles []uuid.UUID
	err := db.IndexRows(ctx, nil, func(r postgres.IndexRow) error {
		c.Rows = append(c.Rows, r)
		passages, articles = append(passages, r.Passage.ID), append(articles, r.Passage.ArticleID)
		return nil
	})
	if err != nil {
		return nil, err
	}
	const together = 500
	for part := range slices.Chunk(passages, together) {
		found, err := db.Found(ctx, part)
		if err != nil {
			return nil, err
		}
		for id, f := range found {
			c.Found[id] = f
		}
	}
	if c.Quoted, err = db.ReadQuoted(ctx, articles); err != nil {
		return nil, err
	}
	ingested, err := FilesOf(ctx, db, folder)
	if err != nil {
		return nil, err
	}
	for _, f := range c.Found {
		c.Files[f.Document.ID] = ingested[f.Document.IngestionID]
	}
	return setOf(c), nil
}

// FilesOf are the files of a folder that a catalogue has, by their ingestions, as paths
// below the folder.
func FilesOf(ctx context.Context, db *postgres.DB, folder string) (map[uuid.UUID]string, error) {
	files := make(map[uuid.UUID]string)
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.EqualFold(filepath.Ext(path), ".pdf") {
			return err
		}
		f, err := admission.Look(ctx, path)
		if errs.Is(err, errs.Unsupported) {
			return nil
		}
		if err != nil {
			return err
		}
		i, err := db.IngestionBySHA(ctx, f.SHA256)
		if errs.Is(err, errs.NotFound) {
			return nil
		}
		name, far := filepath.Rel(folder, path)
		files[i.ID] = filepath.ToSlash(name)
		return errors.Join(err, far)
	})
	return files, err
}

// Keep writes a catalogue to a file.
func (s *Set) Keep(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(EncodeShaped(f, *s.kept), f.Close())
}

// Kept reads a catalogue that was kept. It refuses one of another version, whose rows have
// other fields.
func Kept(path string) (*Set, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c := new(catalogue)
	if err := DecodeShaped(f, c); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return setOf(c), nil
}

// setOf returns the set of a catalogue. A text that the catalogue gives no country is the law of that of its file's folder.
func setOf(c *catalogue) *Set {
	s := NewSet("gazettes")
	s.kept, s.rows = c, c.Rows
	for i := range c.Rows {
		r := &c.Rows[i]
		if len(r.Countries) == 0 {
			r.Countries = countriesNamed(path.Dir(c.Files[r.Passage.DocumentID]))
		}
		s.at[r.Passage.ID] = i
		s.names[r.Passage.ArticleID] = r.Passage.ArticleID.String()
	}
	return s
}

// Ask takes questions from a file; each is of the group of the file that answers
// it, or of a group of its own.
func (s *Set) Ask(path string) error {
	asked, err := corpora.Questions(path)
	if err != nil {
		return err
	}
	for i := range asked {
		a := &asked[i]
		if _, err := time.Parse(time.DateOnly, a.Date); a.Date != "" && err != nil {
			return fmt.Errorf("%s: question %s: %w", path, a.ID, err)
		}
		q := Question{Query: corpora.Query{ID: a.ID, Text: a.Question, Group: a.ID}, Split: a.ID, Right: make(map[string]bool), Asked: a}
		if len(a.Gold) > 0 {
			q.Split = a.Gold[0].Document
		}
		for _, r := range s.rows {
			if f := s.kept.Found[r.Passage.ID]; s.Fits(a, &f.Document, &f.Article) {
				q.Right[s.names[r.Passage.ArticleID]] = true
			}
		}
		s.Questions = append(s.Questions, q)
	}
	return nil
}

// Fits reports whether a passage is of an article that answers a question.
func (s *Set) Fits(a *corpora.Asked, document *law.Document, article *law.Article) bool {
	cited := judge.Cited{File: s.kept.Files[document.ID], Number: document.OfficialNumber, Article: article.Number}
	return slices.ContainsFunc(a.Gold, func(g corpora.Gold) bool {
		if w := article.Wording; w != nil {
			within := cited
			within.Article = w.WithinNumber
			return judge.Fits(g, cited) || judge.Fits(g, within)
		}
		return judge.Fits(g, cited)
	})
}

// Without is the set without the texts of some files.
func (s *Set) Without(files ...string) *Set {
	return s.part(func(file string) bool { return !slices.Contains(files, file) })
}

// Only is the set of the texts of some files.
func (s *Set) Only(files ...string) *Set {
	return s.part(func(file string) bool { return slices.Contains(files, file) })
}

func (s *Set) part(has func(file string) bool) *Set {
	c := *s.kept
	c.Rows = slices.DeleteFunc(slices.Clone(c.Rows), func(r postgres.IndexRow) bool { return !has(c.Files[r.Passage.DocumentID]) })
	part := setOf(&c)
	part.Lexicon = s.Lexicon
	return part
}

// ByFile keeps the questions on one file together.
func ByFile(parts int) Parting {
	return Parting{Name: "by file", Parts: parts, Part: func(q *Question) int { return partOf(q.Split, parts) }}
}

// ByCountry keeps the questions on files of one country, or of one union, together. A question that nothing answers is kept with no other.
func ByCountry(s *Set, parts int) Parting {
	country := func(q *Question) string {
		if name := q.Asked.Country(); name != "" {
			return name
		}
		return q.ID
	}
	of := spreadOut(s, parts, country)
	return Parting{Name: "by country", Parts: parts, Part: func(q *Question) int { return of[country(q)] }}
}

// OfGazettes are the ways to part questions on gazettes, by name.
var OfGazettes = map[string]func(*Set, int) Parting{
	"file":    func(_ *Set, parts int) Parting { return ByFile(parts) },
	"country": ByCountry,
}

// Sealed reports whether a question is one of those that nobody looks at: about a
// fifth, by the hash of its id. Only their totals are printed.
func Sealed(q *Question) bool { return partOf("sealed "+q.ID, 5) == 0 }

func partOf(name string, parts int) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // never fails
	return int(h.Sum32()>>8) % parts
}

// OpenCatalogue opens the database that the environment names, and gives the settings
// that name it. The caller closes it.
func OpenCatalogue(ctx context.Context) (*postgres.DB, config.Ingest, error) {
	c, err := config.LoadIngest(config.Environ())
	if err != nil {
		return nil, c, err
	}
	db, err := postgres.Open(ctx, c.DatabaseURL)
	return db, c, err
}

// OpenGazettes returns the gazettes of a folder as they were kept in a file; when it
// is not there they are read from the database that the environment names, into
// which they were ingested, and kept.
func OpenGazettes(ctx context.Context, folder, file string) (*Set, error) {
	s, err := Kept(file)
	if !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	db, _, err := OpenCatalogue(ctx)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	if s, err = Gazettes(ctx, db, folder); err != nil {
		return nil, err
	}
	err = s.Keep(file)
	return s, err
}

// DatabaseOf opens the database that the environment names, where it has the texts of the set under the ids by which the set
// knows them. The caller closes it.
func DatabaseOf(ctx context.Context, s *Set) (*postgres.DB, error) {
	db, _, err := OpenCatalogue(ctx)
	if err != nil {
		return nil, err
	}
	for id, file := range s.kept.Files {
		if _, err := db.Document(ctx, id); err != nil {
			db.Close()
			return nil, fmt.Errorf("text %s of %s, in the database that the environment names: %w", id, file, err)
		}
	}
	return db, nil
}

// Parts is into how many the questions are parted when rankings are learned from
// the others.
const Parts = 3

// PartFile is the name of the file of a ranking that learned nothing from a part.
func PartFile(part int) string { return fmt.Sprintf("without-%d.json", part+1) }

// TableFile is the name of the file of an encoder's table that learned nothing from a part.
func TableFile(part int) string { return fmt.Sprintf("without-%d.bin", part+1) }

// ProjectionFile is the name of the file of a projection that learned nothing from a part.
func ProjectionFile(part int) string { return fmt.Sprintf("without-%d.projection", part+1) }

// QuestionFile is a file of questions on gazettes.
type QuestionFile struct {
	Name string // as what was learned from it is said to come from
	Path string
}

// GazetteQuestions are the files of questions on gazettes: those of the folder that has these too, and our own. None
// has a question of SealedQuestions.
func GazetteQuestions(folder string) []QuestionFile {
	const first, second, own = "qa/africa_reference_qa.dev.jsonl", "qa/africa_reference_qa.dev2.jsonl", "gazettes.jsonl"
	return []QuestionFile{{first, filepath.Join(folder, first)}, {second, filepath.Join(folder, second)}, {"questions/" + own, ownQuestions(own)}}
}

// SealedQuestions is the file of questions on gazettes that nothing is learned from and nobody looks at: only their totals
// are printed. They are on other files than those of GazetteQuestions.
func SealedQuestions() string { return ownQuestions("sealed.jsonl") }

func ownQuestions(name string) string {
	return filepath.Join(stage.Root(), "lab", "judged", "questions", name)
}

// AskAll takes the questions on gazettes, those of the folder and our own.
func (s *Set) AskAll(folder string) error {
	for _, f := range GazetteQuestions(folder) {
		if err := s.Ask(f.Path); err != nil {
			return err
		}
	}
	return nil
}
