package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

// line is the last line of a benchmark.
type line struct {
	Bench   string             `json:"bench"`
	Figures map[string]float64 `json:"figures"`
	Machine struct {
		CPU   string  `json:"cpu"`
		Cores int     `json:"cores"`
		Load  float64 `json:"load"`
	} `json:"machine"`
}

// measured is what the tables are reckoned from: one run of capacity, one of ocr, and of search at several sizes, the
// smallest first.
type measured struct {
	capacity line
	ocr      line
	search   []line
}

// readFigures reads every line of the files that is the last one of a benchmark; of several of capacity or ocr, and of search
// at one size, the last counts.
func readFigures(paths []string) (m measured, err error) {
	bySize := map[float64]line{}
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			return m, err
		}
		for lines := bufio.NewScanner(file); lines.Scan(); {
			var l line
			if !strings.HasPrefix(lines.Text(), `{"bench"`) || json.Unmarshal(lines.Bytes(), &l) != nil {
				continue
			}
			switch l.Bench {
			case "capacity":
				m.capacity = l
			case "ocr":
				m.ocr = l
			case "search":
				bySize[l.Figures["passages"]] = l
			}
		}
		if err := file.Close(); err != nil {
			return m, err
		}
	}
	for _, l := range bySize {
		m.search = append(m.search, l)
	}
	slices.SortFunc(m.search, func(a, b line) int { return int(a.Figures["passages"] - b.Figures["passages"]) })
	if m.capacity.Figures == nil || m.ocr.Figures["page_processor_ms"] == 0 || len(m.search) < 2 {
		return m, fmt.Errorf("the tables want the last lines of « capacity », of « ocr », and of « search » at two sizes at least (--passages); found are %d, %d and %d",
			min(1, len(m.capacity.Figures)), min(1, len(m.ocr.Figures)), len(m.search))
	}
	return m, nil
}

// of is a figure of capacity.
func (m measured) of(name string) float64 { return m.capacity.Figures[name] }

// largest is a figure of search at the largest size that was measured.
func (m measured) largest(name string) float64 { return m.search[len(m.search)-1].Figures[name] }

// grows is what a figure of search is at a number of passages: along the line through the smallest and the largest size
// that were measured, and never less than at the smallest.
func (m measured) grows(name string, passages float64) float64 {
	a, b := m.search[0].Figures, m.search[len(m.search)-1].Figures
	slope := (b[name] - a[name]) / (b["passages"] - a["passages"])
	return max(a[name], a[name]+slope*(passages-a["passages"]))
}
