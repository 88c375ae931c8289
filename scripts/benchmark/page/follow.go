package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"

	"vigueur/e2e/browser"
	"vigueur/e2e/stage"
	"vigueur/scripts/benchmark/report"
)

// question is one of a set.
type question struct {
	Question   string
	Date       string
	Answerable bool
	Gold       []struct{ Document string }
}

// read reads a set of questions, one a line.
func read(path string) (list []question, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was read only
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		list = append(list, q)
	}
	return list, nil
}

func sampleQuestions(most int) (list []question, err error) {
	all, err := read(filepath.Join(stage.Root(), "scripts", "sample", "questions.jsonl"))
	for _, q := range all {
		if q.Answerable && len(list) < most {
			list = append(list, q)
		}
	}
	return list, err
}

// realQuestions returns questions on real gazettes, and takes these gazettes in: each
// question's own ones, and texts in doubt as they are.
func realQuestions(ctx context.Context, s *stage.Stage, dir string, most int) (list []question, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "qa", "*.jsonl"))
	if err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	var paths []string
	for _, file := range files {
		all, err := read(file)
		if err != nil {
			return nil, err
		}
		for _, q := range all {
			if len(q.Gold) == 0 || len(list) == most {
				continue
			}
			list = append(list, q)
			for _, g := range q.Gold {
				if !wanted[g.Document] {
					wanted[g.Document] = true
					paths = append(paths, filepath.Join(dir, "pdfs", g.Document))
				}
			}
		}
	}
	return list, take(ctx, s, paths)
}

// take ingests gazettes, and accepts of what waits for a person what lacks nothing.
func take(ctx context.Context, s *stage.Stage, paths []string) error {
	worker, err := s.Worker(ctx, nil)
	if err != nil {
		return err
	}
	defer worker.Stop()
	if out, code := s.Ingest(ctx, "", append([]string{"add"}, paths...)...); code != 0 {
		fmt.Printf("Of the real gazettes, some were not taken in (exit %d): %s\n", code, lastLine(out))
	}
	out, code := s.Ingest(ctx, "", "review", "list", "--limit", "1000", "--json")
	var waiting struct{ Items []struct{ ID string } }
	if err := json.Unmarshal([]byte(out), &waiting); err != nil || code != 0 {
		return fmt.Errorf("ingest review list: exit %d: %s (%w)", code, lastLine(out), err)
	}
	for _, w := range waiting.Items {
		if out, code := s.Ingest(ctx, "", "review", "accept", w.ID); code != 0 {
			fmt.Printf("A text in doubt was not accepted: %s\n", lastLine(out))
		}
	}
	return ctx.Err()
}

func lastLine(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return lines[len(lines)-1]
}

// followed is how many citations were followed: those on pages whose own words the
// service took, of which so many have the excerpt marked letter by letter; and those on
// pages that it read by recognition, whose words nothing in the file tells, of which so
// many have anything marked.
type followed struct{ printed, same, read, marked int }

// follow holds the marked words of each citation against its excerpt.
func (v *visit) follow(ctx context.Context, r *report.Report, questions []question) error {
	tab, err := v.signedIn()
	if err != nil {
		return err
	}
	defer func() { tab.Close() }()
	var f followed
	for i, q := range questions {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := v.answerTo(tab, q)
		if err != nil {
			return err
		}
		for at := range n {
			words, err := citation(tab, at)
			if err == nil {
				err = v.count(ctx, &f, words)
			}
			if err != nil {
				f.printed++
				fmt.Printf("question %d [%d] not shown: %.300s\n", i+1, at+1, err)
				next, err := v.signedIn() // a fresh page for the next
				if err != nil {
					return err
				}
				tab.Close()
				tab = next
				if _, err := v.answerTo(tab, q); err != nil {
					return err
				}
			}
		}
	}
	r.Figure("citations", float64(f.printed), "")
	r.Figure("highlight_share", float64(f.same)/float64(max(1, f.printed)), "")
	r.Goal("highlight_share", report.AtLeast, 0.98)
	r.Figure("read_citations", float64(f.read), "")
	r.Figure("read_marked_share", float64(f.marked)/float64(max(1, f.read)), "")
	return nil
}

// count counts a citation.
func (v *visit) count(ctx context.Context, f *followed, words browser.Words) error {
	id, err := uuid.Parse(words.Text)
	if err != nil {
		return fmt.Errorf("the text of a citation: %w", err)
	}
	// Without a region, the pages of the text tell.
	among := "p.number BETWEEN d.first_page AND d.last_page"
	if len(words.Pages) > 0 {
		among = "p.number IN (" + strings.Trim(strings.ReplaceAll(fmt.Sprint(words.Pages), " ", ","), "[]") + ")"
	}
	var layer bool
	err = v.stage.Query(ctx, `SELECT coalesce(bool_and(p.source = 'layer'), true) FROM documents d JOIN ingestion_pages p ON p.ingestion_id = d.ingestion_id WHERE d.id = '`+id.String()+`' AND `+among, &layer)
	switch {
	case err != nil:
		return err
	case !layer:
		f.read++
		if len(words.Pages) > 0 {
			f.marked++
		}
	default:
		f.printed++
		if words.Same {
			f.same++
		} else {
			fmt.Printf("%s\n  marked:  %s\n  excerpt: %s\n", words.Text, words.Marked, words.Excerpt)
		}
	}
	return nil
}

// answerTo asks a question on its day, to be answered by quotations, and gives how
// many sources the answer has.
func (v *visit) answerTo(tab *browser.Tab, q question) (sources int, err error) {
	filters := map[string]string{"model": "extractif"}
	if q.Date != "" {
		filters["date"] = q.Date
	}
	kept, err := json.Marshal(filters)
	if err != nil {
		return 0, err
	}
	_, err = browser.Eval[any](tab, `sessionStorage.setItem("vigueur.filters.new", JSON.stringify(`+string(kept)+`))`)
	if err != nil {
		return 0, err
	}
	if err := inOrder(func() error { return tab.Open("/") }, func() error { return ask(tab, q.Question) }); err != nil {
		return 0, err
	}
	return browser.Eval[int](tab, `document.querySelectorAll(".rule-head .cite, .sources li > button").length`)
}

// citation opens a source, and gives the words that are marked and the excerpt. One
// without a place has none marked.
func citation(tab *browser.Tab, i int) (words browser.Words, err error) {
	open := fmt.Sprintf(`document.querySelectorAll(".rule-head .cite, .sources li > button")[%d].click()`, i)
	if _, err := browser.Eval[any](tab, open); err != nil {
		return words, err
	}
	if err := tab.Press("Feuilleter la gazette"); err != nil { // the words of a page are known to the reader of the file alone
		return words, err
	}
	if err := tab.Await(`document.querySelector(".source .failure") || document.querySelector(".pdf .sheet[data-drawn]") && (!document.querySelector(".region") || ` + browser.Drawn + `)`); err != nil {
		return words, err
	}
	if words, err = browser.Eval[browser.Words](tab, browser.Highlighted); err != nil {
		return words, err
	}
	return words, inOrder(func() error { return tab.Click(".source header button") }, func() error { return tab.Await(`!document.querySelector(".source")`) })
}
