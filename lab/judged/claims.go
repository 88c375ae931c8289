package judged

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"vigueur/internal/answer/llm"
)

// Claimed is a question with the passages that a model would read, true sentences about them, and one false sentence.
type Claimed struct {
	ID       string
	Question string
	Group    string // the text that the sentences are about: what is left out together
	Passages []llm.Passage
	True     []string
	False    string // "" if there is none
	Kind     int    // of the false one
	Kept     bool   // nothing may be learned from it
}

// Answer returns the answer of the true sentences, or the one that ends in the false one.
func (c *Claimed) Answer(right bool) string {
	if right {
		return strings.Join(c.True, " ")
	}
	return strings.Join(append(c.True[:min(2, len(c.True)):min(2, len(c.True))], c.False), " ")
}

// Claims reads claims.jsonl of the questions, whose articles are those of files of a folder, and the requests of models/ in it.
func Claims(questions, dir string) (out []Claimed, err error) {
	articles := make(map[string][]llm.Passage)
	err = eachLine(questions, func(line []byte) error {
		var c struct {
			Claimed
			File, Title, Country string
			Articles             []int
		}
		if err := json.Unmarshal(line, &c); err != nil {
			return err
		}
		if articles[c.File] == nil {
			if articles[c.File], err = articlesOf(filepath.Join(dir, c.File)); err != nil {
				return err
			}
		}
		for n, i := range c.Articles {
			if i >= len(articles[c.File]) {
				return fmt.Errorf("%s: there is no article %d of %s", c.ID, i, c.File)
			}
			p := articles[c.File][i]
			p.N, p.Title, p.Text = n+1, c.Title, joinLines(p.Text)
			c.Passages = append(c.Passages, p)
		}
		c.Group = c.Title
		out = append(out, c.Claimed)
		return nil
	})
	if err != nil {
		return nil, err
	}
	models, err := modelClaims(filepath.Join(dir, "models"))
	return append(out, models...), err
}

func eachLine(path string, yield func(line []byte) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		if err := yield(lines.Bytes()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return lines.Err()
}

// articlesOf reads the articles of a file, in the forms that there are.
func articlesOf(path string) (out []llm.Passage, err error) {
	if strings.HasSuffix(path, "burkina-code-du-travail.json") {
		type article struct{ Article, Texte string }
		var code struct {
			Loi struct {
				Titres []struct {
					Chapitres []struct {
						Sections []struct{ Articles []article }
					}
				}
			}
		}
		raw, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(raw, &code)
		}
		for _, title := range code.Loi.Titres {
			for _, chapter := range title.Chapitres {
				for _, section := range chapter.Sections {
					for _, a := range section.Articles {
						out = append(out, llm.Passage{Article: a.Article, Text: a.Texte})
					}
				}
			}
		}
		return out, err
	}
	return out, eachLine(path, func(line []byte) error {
		var a struct {
			ID     string `json:"_id"`
			Num    any
			Number string
			Text   string
			Body   string

			Headings, Path []string
		}
		if err := json.Unmarshal(line, &a); err != nil {
			return err
		}
		p := llm.Passage{Article: a.ID + a.Number, Text: a.Text + a.Body, Heading: strings.Join(append(a.Headings, a.Path...), " > ")}
		if a.Num != nil {
			p.Article, _, _ = strings.Cut(fmt.Sprint(a.Num), " (nouveau)")
		}
		out = append(out, p)
		return nil
	})
}

var broken = regexp.MustCompile(`([^.;:\n])\n([\p{Ll}(A-Z])`)

// joinLines joins lines that a file has broken.
func joinLines(text string) string { return broken.ReplaceAllString(text, "$1 $2") }

var passage = regexp.MustCompile(`(?s)<passage numéro="(\d+)">\n(.*?)\n\n(.*?)\n</passage>`)

// Request reads the question and the passages of a request to a model.
func Request(path string) (question string, passages []llm.Passage, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return "", nil, err
	}
	var r struct{ Messages []struct{ Content string } }
	if err := json.Unmarshal(raw, &r); err != nil || len(r.Messages) == 0 {
		return "", nil, fmt.Errorf("%s: no request: %w", path, err)
	}
	last := r.Messages[len(r.Messages)-1].Content
	for _, m := range passage.FindAllStringSubmatch(last, -1) {
		p := llm.Passage{Text: m[3]}
		p.N, _ = strconv.Atoi(m[1])
		for line := range strings.SplitSeq(m[2], "\n") {
			switch key, value, _ := strings.Cut(line, " : "); key {
			case "Texte":
				p.Title = value
			case "Article":
				p.Article = value
			case "Rubrique":
				p.Heading = value
			case "Date du texte":
				p.Edition = value
			}
		}
		passages = append(passages, p)
	}
	_, question, _ = strings.Cut(last, "Question : ")
	return question, passages, nil
}

// Falsehood is a line of falsehoods.jsonl of a folder of requests.
type Falsehood struct {
	Hash      string
	Sentences []struct {
		Text string
		True bool
		Kind int
	}
	True string `json:"true_version"`
}

// Falsehoods reads them.
func Falsehoods(dir string) (out []Falsehood, err error) {
	return out, eachLine(filepath.Join(dir, "falsehoods.jsonl"), func(line []byte) error {
		var f Falsehood
		err := json.Unmarshal(line, &f)
		out = append(out, f)
		return err
	})
}

// modelClaims reads the answers of a folder of requests to models.
func modelClaims(dir string) (out []Claimed, err error) {
	lies, err := Falsehoods(dir)
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "requests", "*.json"))
	for _, f := range files {
		id := strings.TrimSuffix(filepath.Base(f), ".json")
		c := Claimed{ID: id}
		if c.Question, c.Passages, err = Request(f); err != nil {
			return nil, err
		}
		answer, err := os.ReadFile(filepath.Join(dir, "true", id+".txt"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if strings.HasPrefix(string(answer), "AUCUNE RÉPONSE") || len(c.Passages) == 0 {
			continue
		}
		c.Group, c.True = c.Passages[0].Title, []string{string(answer)}
		for _, x := range lies {
			for _, s := range x.Sentences {
				if x.Hash == id && !s.True {
					c.False, c.Kind = s.Text, s.Kind
				}
			}
			if x.Hash == id {
				c.True = append(c.True, x.True)
			}
		}
		out = append(out, c)
	}
	return out, err
}
