// Command model plays requests to a language model and what it answered through the check that the service passes answers
// through, and prints how much of the truth is shown and how much of the untruth is stopped. A folder holds requests/ID.json,
// true/ID.txt, and falsehoods.jsonl with sentences of which some are false, by kind. With -ask, any server with the interface
// of OpenAI answers the requests instead; its answers are kept beside them, in a folder that -keep names.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vigueur/internal/work/answering"
	"vigueur/lab/judged"
)

func main() {
	log.SetFlags(0)
	server := flag.String("ask", "", "address of a server, with its version: http://127.0.0.1:11434/v1")
	model := flag.String("model", "", "the server's name of the model")
	keep := flag.String("keep", "", "folder for what the server answers")
	flag.Parse()
	dir := flag.Arg(0)
	if flag.NArg() != 1 || (*server == "") != (*model == "") {
		log.Fatal("usage: scripts/eval model [-ask URL -model NAME [-keep FOLDER]] FOLDER; a key comes from OPENAI_API_KEY")
	}
	if *server != "" {
		if err := askServer(dir, *server, *model, *keep); err != nil {
			log.Fatal(err)
		}
		return
	}
	var truthful, wrong played
	for folder, counted := range map[string]*played{"true": &truthful, "false": &wrong} {
		if err := counted.play(dir, folder); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Printf("answers of true/: %+v\nanswers of false/: %+v\n", truthful, wrong)
	tellFactors(truthful, wrong)
	if err := playSentences(dir); err != nil {
		log.Fatal(err)
	}
}

// askServer has a server answer the requests and counts what becomes of its answers.
func askServer(dir, server, model, keep string) error {
	files, err := filepath.Glob(filepath.Join(dir, "requests", "*.json"))
	if err != nil {
		return err
	}
	slices.Sort(files)
	count, took := map[string]int{}, time.Duration(0)
	for _, f := range files {
		id := strings.TrimSuffix(filepath.Base(f), ".json")
		question, passages, err := judged.Request(filepath.Join(dir, "requests", id+".json"))
		if err != nil {
			return err
		}
		began := time.Now()
		answer, err := complete(f, server, model)
		if err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
		took += time.Since(began)
		if keep != "" {
			if err := os.WriteFile(filepath.Join(keep, id+".txt"), []byte(answer), 0o600); err != nil {
				return err
			}
		}
		refuses := strings.HasPrefix(strings.TrimSpace(answer), "AUCUNE RÉPONSE")
		careful, _ := os.ReadFile(filepath.Join(dir, "true", id+".txt")) // not every request has one
		expected := "a reader answers: "
		if strings.HasPrefix(string(careful), "AUCUNE RÉPONSE") {
			expected = "a reader refuses: "
		}
		j := answering.Judge(question, answer, passages)
		switch {
		case refuses:
			count[expected+"refuses"]++
		case j.Instead:
			count[expected+"replaced"]++
		case j.Left > 0:
			count[expected+"without a sentence"]++
		case j.Open > 0:
			count[expected+"with a warning"]++
		default:
			count[expected+"whole"]++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(count)) {
		fmt.Println(name, count[name])
	}
	fmt.Printf("%d requests, %.1f s each\n", len(files), took.Seconds()/float64(max(1, len(files))))
	return nil
}

// complete sends a stored request to a server, without streaming, and returns the answer.
func complete(file, server, model string) (string, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	var body map[string]any
	if err := json.Unmarshal(raw, &body); err != nil {
		return "", err
	}
	body["model"], body["stream"], body["temperature"] = model, false, 0
	delete(body, "stream_options")
	if raw, err = json.Marshal(body); err != nil {
		return "", err
	}
	q, err := http.NewRequest(http.MethodPost, strings.TrimSuffix(server, "/")+"/chat/completions", bytes.NewReader(raw))
	if err != nil {
		return "", err
	}
	q.Header.Set("Content-Type", "application/json")
	if key := os.Getenv("OPENAI_API_KEY"); key != "" {
		q.Header.Set("Authorization", "Bearer "+key)
	}
	r, err := (&http.Client{Timeout: 10 * time.Minute}).Do(q)
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	var out struct {
		Choices []struct{ Message struct{ Content string } }
	}
	if r.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(io.LimitReader(r.Body, 500)) // what there is of it
		return "", fmt.Errorf("%s: %s", r.Status, said)
	}
	if err := json.NewDecoder(r.Body).Decode(&out); err != nil || len(out.Choices) == 0 {
		return "", fmt.Errorf("no completion: %w", err)
	}
	return out.Choices[0].Message.Content, nil
}

// played counts what becomes of the answers of a folder.
type played struct{ Whole, Warned, Cut, Replaced, Refusals int }

func (p played) answers() int { return p.Whole + p.Warned + p.Cut + p.Replaced }

// tellFactors prints by how much an answer raises the odds that it is right: by the bounds of 95 % of what is rare or always
// so, of a model that answers only what its passages answer, as these readers did.
func tellFactors(truthful, wrong played) {
	answers, _ := wilson(truthful.answers(), truthful.answers())
	_, invents := wilson(0, truthful.Refusals)
	whole, _ := wilson(truthful.Whole, truthful.answers())
	_, passes := wilson(wrong.Whole, wrong.answers())
	doubted := float64(truthful.Warned+1) / float64(truthful.answers()+2) / (float64(wrong.Warned+1) / float64(wrong.answers()+2))
	fmt.Printf("an answer: odds × %.2f; shown whole: × %.2f; with a warning: × %.2f\n", answers/invents, whole/passes, doubted)
}

// wilson returns the bounds of 95 % of a share (Wilson 1927).
func wilson(k, n int) (low, high float64) {
	const z = 1.96
	if n == 0 {
		return 0, 1
	}
	p, m := float64(k)/float64(n), float64(n)
	middle, half := p+z*z/(2*m), z*math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return (middle - half) / (1 + z*z/m), (middle + half) / (1 + z*z/m)
}

// play counts what becomes of the answers of a folder, and which of them are refusals.
func (p *played) play(dir, folder string) error {
	files, err := filepath.Glob(filepath.Join(dir, folder, "*.txt"))
	if err != nil {
		return err
	}
	slices.Sort(files)
	for _, f := range files {
		answer, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		if strings.HasPrefix(string(answer), "AUCUNE RÉPONSE") {
			p.Refusals++
			continue
		}
		id := strings.TrimSuffix(filepath.Base(f), ".txt")
		question, passages, err := judged.Request(filepath.Join(dir, "requests", id+".json"))
		if err != nil {
			return err
		}
		switch j := answering.Judge(question, string(answer), passages); {
		case j.Instead:
			p.Replaced++
		case j.Left > 0:
			p.Cut++
		case j.Open > 0:
			p.Warned++
		default:
			p.Whole++
		}
	}
	return nil
}

// playSentences counts what becomes of single sentences, true and false.
func playSentences(dir string) error {
	list, err := judged.Falsehoods(dir)
	if err != nil {
		return err
	}
	count := map[string]int{}
	for _, x := range list {
		question, passages, err := judged.Request(filepath.Join(dir, "requests", x.Hash+".json"))
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
	return nil
}
