package stage

import (
	"path/filepath"

	"vigueur/scripts/judge"
)

// Questions gives the questions on the sample gazettes, in the order of their file.
func Questions() ([]string, error) {
	asked, err := judge.Questions(filepath.Join(Root(), "scripts", "sample", "questions.jsonl"))
	list := make([]string, 0, len(asked))
	for _, a := range asked {
		list = append(list, a.Question)
	}
	return list, err
}
