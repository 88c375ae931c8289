// Package corpora reads the files that benchmarks and evaluations work on: articles of a
// corpus, questions, and judgments of which article answers which question.
//
// Files are JSON Lines or tab-separated values. An error is of kind errs.Invalid and names
// the file and the line, in French.
package corpora

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"strings"

	"vigueur/internal/kit/errs"
)

// Article is a line of a corpus: an article with the headings above it, parted
// by « > » in its title, outermost first.
type Article struct {
	ID    string `json:"_id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// Query is a line of a list of questions.
type Query struct {
	ID    string `json:"_id"`
	Text  string `json:"text"`
	Group string `json:"-"` // the field that was asked for; its own id without it
}

// Asked is a line of a list of questions with the answers they should get.
type Asked struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Style    string   `json:"style"` // how it is put, « sms » say; "" where nobody noted it
	Question string   `json:"question"`
	Before   []string `json:"before"` // earlier questions of the conversation, oldest first
	Date     string   `json:"date"`   // of the law asked about; "" is today
	Gold     []Gold   `json:"gold"`   // where the answer stands; none: it must be refused
	KeyFacts []string `json:"key_facts"`
	// Undecided says that nobody has noted yet where the answer stands, as of the
	// questions that « ingest feedback export » writes.
	Undecided bool `json:"undecided"`
}

// Country is the folder of the country, or of the union, whose file answers; "" where none does.
func (a *Asked) Country() string {
	if len(a.Gold) == 0 {
		return ""
	}
	name, _, _ := strings.Cut(a.Gold[0].Document, "/")
	return name
}

// Gold is where an answer stands.
type Gold struct {
	Document string `json:"document"` // a file, by its path below the folder of documents
	Article  string `json:"article"`  // « 5 », « 10 nouveau », « Loi n° 10-2025, art. 23 »
}

// lineLimit bounds a line of a file: a whole code's longest annex is a tenth of it.
const lineLimit = 32 << 20

// Articles reads a corpus in JSON Lines and hands each article to yield.
func Articles(path string, yield func(Article)) error {
	return lines(path, func(line []byte) error {
		var a Article
		if err := json.Unmarshal(line, &a); err != nil {
			return err
		}
		if a.ID == "" {
			return missing("_id")
		}
		yield(a)
		return nil
	})
}

// Queries reads questions in JSON Lines; their Group is the field called groupBy.
func Queries(path, groupBy string) (out []Query, err error) {
	err = lines(path, func(line []byte) error {
		var q Query
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		q.Group = q.ID
		if groupBy != "" {
			var fields map[string]any
			if err := json.Unmarshal(line, &fields); err != nil {
				return err
			}
			name, ok := fields[groupBy].(string)
			if !ok {
				return missing(groupBy)
			}
			q.Group = name
		}
		if q.ID == "" || q.Text == "" {
			return missing("_id » ou « text")
		}
		out = append(out, q)
		return nil
	})
	return out, err
}

// Qrels reads judgements: question, article and score parted by tabs, with or
// without a head; a score of 0 is none.
func Qrels(path string) (right map[string]map[string]bool, err error) {
	right = make(map[string]map[string]bool)
	err = lines(path, func(line []byte) error {
		fields := strings.Split(strings.TrimRight(string(line), "\r"), "\t")
		if len(fields) < 2 {
			return errs.New(errs.Invalid, "deux colonnes au moins, séparées par une tabulation, sont attendues")
		}
		if fields[0] == "query-id" || len(fields) > 2 && fields[2] == "0" {
			return nil
		}
		if right[fields[0]] == nil {
			right[fields[0]] = make(map[string]bool)
		}
		right[fields[0]][fields[1]] = true
		return nil
	})
	return right, err
}

// Questions reads questions with their answers in JSON Lines.
func Questions(path string) (out []Asked, err error) {
	err = lines(path, func(line []byte) error {
		var q Asked
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		if q.ID == "" || q.Question == "" {
			return missing("id » ou « question")
		}
		if q.Undecided {
			return errs.Newf(errs.Invalid, "le cas « %s » n’est pas tranché : écrivez « gold » et « key_facts », puis retirez « undecided »", q.ID)
		}
		out = append(out, q)
		return nil
	})
	return out, err
}

// fault tells what is wrong with a line.
func fault(err error) string {
	if errs.Is(err, errs.Invalid) {
		return errs.Public(err)
	}
	return "ce n’est pas du JSON de la forme attendue (" + err.Error() + ")"
}

func missing(field string) error { return errs.Newf(errs.Invalid, "le champ « %s » manque", field) }

// lines hands each line that is not blank to do, and says of an error where it is.
func lines(path string, do func(line []byte) error) error {
	f, err := os.Open(path)
	if err != nil {
		return errs.Newf(errs.Invalid, "Le fichier %s ne peut pas être lu : %v", path, err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, lineLimit)
	for n := 1; s.Scan(); n++ {
		line := bytes.TrimPrefix(bytes.TrimSpace(s.Bytes()), []byte("\ufeff"))
		if len(line) == 0 {
			continue
		}
		if err := do(line); err != nil {
			return errs.Newf(errs.Invalid, "%s, ligne %d : %s.", path, n, fault(err))
		}
	}
	if err := s.Err(); err != nil {
		return errs.Newf(errs.Invalid, "Le fichier %s ne peut pas être lu : %v", path, err)
	}
	return nil
}
