package corpora

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// SampleQuestions returns the texts of the questions on the sample gazettes of the
// repository at root, in the order of their file.
func SampleQuestions(root string) ([]string, error) {
	asked, err := Questions(filepath.Join(root, "scripts", "sample", "questions.jsonl"))
	list := make([]string, 0, len(asked))
	for _, a := range asked {
		list = append(list, a.Question)
	}
	return list, err
}

// SampleArticles returns the texts of the articles of the sample gazettes of the repository at root.
func SampleArticles(root string) (texts []string, err error) {
	raw, err := os.ReadFile(filepath.Join(root, "scripts", "sample", "truth.json"))
	if err != nil {
		return nil, err
	}
	var truth struct {
		Texts []struct {
			Articles []struct {
				Text string `json:"text"`
			} `json:"articles"`
		} `json:"texts"`
	}
	if err := json.Unmarshal(raw, &truth); err != nil {
		return nil, err
	}
	for _, t := range truth.Texts {
		for _, a := range t.Articles {
			texts = append(texts, a.Text)
		}
	}
	return texts, nil
}
