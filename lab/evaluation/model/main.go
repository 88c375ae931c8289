// Command model plays requests to a language model and what it answered through the check that the service passes answers
// through, and prints how much of the truth is shown and how much of the untruth is stopped. A folder holds requests/ID.json,
// true/ID.txt, and falsehoods.jsonl with sentences of which some are false, by kind.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vigueur/internal/answer/llm"
	"vigueur/internal/work/answering"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: scripts/eval model FOLDER")
	}
	dir := os.Args[1]
	if err := playAnswers(dir); err != nil {
		log.Fatal(err)
	}
	if err := playSentences(dir); err != nil {
		log.Fatal(err)
	}
}

var passage = regexp.MustCompile(`(?s)<passage numéro="(\d+)">\n(.*?)\n\n(.*?)\n</passage>`)

// request reads the question and the passages of a request.
func request(dir, id string) (question string, passages []llm.Passage, err error) {
	raw, err := os.ReadFile(filepath.Join(dir, "requests", id+".json"))
	if err != nil {
		return "", nil, err
	}
	var r struct{ Messages []struct{ Content string } }
	if err := json.Unmarshal(raw, &r); err != nil || len(r.Messages) == 0 {
		return "", nil, fmt.Errorf("%s: no request: %w", id, err)
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

// playAnswers counts what becomes of truthful answers.
func playAnswers(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "true", "*.txt"))
	if err != nil {
		return err
	}
	slices.Sort(files)
	whole, warned, cut, replaced, refused := 0, 0, 0, 0, 0
	for _, f := range files {
		answer, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		if strings.HasPrefix(string(answer), "AUCUNE RÉPONSE") {
			refused++
			continue
		}
		id := strings.TrimSuffix(filepath.Base(f), ".txt")
		question, passages, err := request(dir, id)
		if err != nil {
			return err
		}
		switch j := answering.Judge(question, string(answer), passages); {
		case j.Instead:
			replaced++
			fmt.Println("replaced", id)
		case j.Left > 0:
			cut++
			fmt.Println("a sentence left out", id)
		case j.Open > 0:
			warned++
		default:
			whole++
		}
	}
	fmt.Printf("truthful answers: %d whole, %d with a warning, %d without a sentence, %d replaced; %d refusals\n", whole, warned, cut, replaced, refused)
	return nil
}

// playSentences counts what becomes of single sentences, true and false.
func playSentences(dir string) error {
	file, err := os.Open(filepath.Join(dir, "falsehoods.jsonl"))
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	count := map[string]int{}
	for lines.Scan() {
		var x struct {
			Hash      string
			Sentences []struct {
				Text string
				True bool
				Kind int
			}
			True string `json:"true_version"`
		}
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
			return err
		}
		question, passages, err := request(dir, x.Hash)
		if err != nil {
			return err
		}
		state := func(text string) string {
			switch j := answering.Judge(question, text, passages); {
			case j.Left > 0:
				return "stopped"
			case j.Open > 0 || j.Instead:
				return "warned"
			}
			return "shown"
		}
		for _, s := range x.Sentences {
			got := state(s.Text)
			count[fmt.Sprint(s.True, got)]++
			if !s.True {
				fmt.Printf("kind %d %s: %s\n", s.Kind, got, s.Text)
			}
		}
		count["true"+state(x.True)]++
	}
	fmt.Printf("false sentences: %d stopped, %d warned, %d shown\n", count["falsestopped"], count["falsewarned"], count["falseshown"])
	fmt.Printf("true sentences: %d shown, %d warned, %d stopped\n", count["trueshown"], count["truewarned"], count["truestopped"])
	return lines.Err()
}
