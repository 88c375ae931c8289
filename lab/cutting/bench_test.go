package cutting

import (
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment"
	"vigueur/lab/house"
)

// benchPages is the least number of pages that the benchmark cuts.
const benchPages = 300

// BenchmarkSplit cuts generated issues of all house styles and reports the time per page.
func BenchmarkSplit(b *testing.B) {
	var issues [][]layout.Page
	styles := house.Styles()
	count := 0
	for seed := uint64(5_000_000); count < benchPages; seed++ {
		made := house.Make(styles[int(seed)%len(styles)], seed, house.Worn(seed))
		layout.Arrange(made.Pages)
		issues, count = append(issues, made.Pages), count+len(made.Pages)
	}
	for b.Loop() {
		for _, pages := range issues {
			segment.Split(pages, gazette.Hints{})
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(count), "µs/page")
}
