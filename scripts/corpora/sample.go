package corpora

import "path/filepath"

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
