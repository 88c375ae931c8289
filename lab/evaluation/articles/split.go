package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"vigueur/internal/law"
)

// readSplit reads a text that someone has split into articles: JSON lines with
// num and text, a tree of titles whose leaves are {"Article", "Texte"}, or
// Markdown whose headings name articles.
func readSplit(path string) ([]splitArticle, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("a truth: %w", err)
	}
	var out []splitArticle
	switch filepath.Ext(path) {
	case ".jsonl":
		out, err = splitLines(raw)
	case ".json":
		var tree any
		if err = json.Unmarshal(raw, &tree); err == nil {
			out = leaves(tree, nil)
		}
	case ".md":
		out = splitMarkdown(string(raw))
	}
	if err == nil && len(out) == 0 {
		err = errors.New("no articles")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: not a text split into articles: %w", path, err)
	}
	return out, nil
}

// splitLines reads JSON lines; article 0 is the preamble.
func splitLines(raw []byte) ([]splitArticle, error) {
	var out []splitArticle
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var a struct{ Num, Text string }
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			return nil, err
		}
		if a.Num != "0" {
			out = append(out, splitArticle{a.Num, a.Text})
		}
	}
	return out, lines.Err()
}

// leaves walks a tree in the order of its lists.
func leaves(v any, out []splitArticle) []splitArticle {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			out = leaves(x, out)
		}
	case map[string]any:
		if n, ok := v["Article"].(string); ok {
			text, _ := v["Texte"].(string)
			return append(out, splitArticle{n, text})
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			out = leaves(v[key], out)
		}
	}
	return out
}

var (
	mdArticle = regexp.MustCompile(`^#+ Article (.+)$`)
	mdHeading = regexp.MustCompile(`^#+ `)
)

// splitMarkdown reads articles under headings; other headings end them.
func splitMarkdown(text string) []splitArticle {
	var out []splitArticle
	open := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m := mdArticle.FindStringSubmatch(line); m != nil {
			_, own, annexed := strings.Cut(m[1], ", art. ") // « ANNEXE, art. 5 »
			if !annexed {
				own = m[1]
			}
			out, open = append(out, splitArticle{number: own}), true
			continue
		}
		if mdHeading.MatchString(line) {
			open = false
		}
		if open {
			out[len(out)-1].text += line + "\n"
		}
	}
	return out
}

// samplePairs reads the truth of the sample gazettes, nil where there is none.
func samplePairs(dir string) ([]pair, error) {
	raw, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var truth struct {
		Issues []struct{ ID, File string }
		Texts  []struct {
			Issue    string
			Number   string `json:"numero_officiel"`
			Articles []struct{ Number, Text string }
		}
	}
	if err := json.Unmarshal(raw, &truth); err != nil {
		return nil, fmt.Errorf("truth.json: %w", err)
	}
	var out []pair
	for _, issue := range truth.Issues {
		for _, t := range truth.Texts {
			if t.Issue != issue.ID {
				continue
			}
			p := pair{pdf: filepath.Join("gazettes", issue.File), truth: t.Number, number: law.TextNumber(t.Number)}
			for _, a := range t.Articles {
				p.want = append(p.want, splitArticle{a.Number, a.Text})
			}
			out = append(out, p)
		}
	}
	return out, nil
}
