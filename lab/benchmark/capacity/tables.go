package main

import (
	"fmt"
	"io"
	"math"
	"strings"
)

var (
	sizes   = []float64{10_000, 1_000_000, 100_000_000}
	crowds  = []float64{10, 1_000, 100_000}
	inAVast = []float64{10_000_000, 100_000_000} // where Milvus is past one machine
)

// printTables writes the tables as Markdown.
func printTables(out io.Writer, h habits, paths []string) error {
	m, err := readFigures(paths)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, tables(m, h))
	return err
}

func tables(m measured, h habits) string {
	var b strings.Builder
	of := m.capacity.Machine
	fmt.Fprintf(&b, "Measured on %d cores (%s), load %.1f when it began.\n\n", of.Cores, of.CPU, of.Load)
	b.WriteString("| One of | API | worker | PostgreSQL | Redis | transactions | rows | log, bytes | commands | to Redis, bytes | from Redis, bytes |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, kind := range []struct{ name, words string }{{"answer", "answer of 200 tokens"}, {"load", "page load"}, {"gazette_page", "page of a gazette"}} {
		f := func(name string) string { return number(m.of(kind.name + "_" + name)) }
		fmt.Fprintf(&b, "| %s | %s ms | %s ms | %s ms | %s ms | %s | %s | %s | %s | %s | %s |\n", kind.words, f("api_ms"), f("worker_ms"), f("postgres_ms"), f("redis_ms"),
			f("pg_transactions"), f("pg_rows"), f("pg_wal_bytes"), f("redis_commands"), f("redis_in_bytes"), f("redis_out_bytes"))
	}
	fmt.Fprintf(&b, "\nA scanned page takes %s ms of a worker’s core more (`scripts/bench ocr`).\n", number(m.ocr.Figures["page_processor_ms"]))
	b.WriteString("\n| Passages | People at once | Questions/s | APIs | Workers | each holds | PostgreSQL | Redis | Milvus | Disk | Memory of all | Machines, € a month | Model, € a month | Taken in within | scans alone | Gives first, at people | PostgreSQL gives, at people |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, passages := range sizes {
		for _, people := range crowds {
			p := m.size(h, passages, people)
			milvus := "–"
			if p.Milvus {
				milvus = fmt.Sprintf("%s GiB, %s cores", number(p.MilvusGiB), number(p.MilvusCores))
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s GiB | %s cores, %s GiB | %s | %s | %s GiB | %s GiB | %s | %s | %s | %s | %s | %s, %s | %s |\n", thousands(p.Passages), thousands(p.People), number(p.Questions),
				number(p.APIs), number(p.Workers), number(p.WorkerGiB), number(p.PostgresCores), thousands(p.PostgresGiB), number(p.Redis), milvus, thousands(p.Disk), thousands(p.MemoryGiB),
				thousands(p.Euros), thousands(p.Model), duration(p.FillDays), duration(p.ScanDays), duration(p.RefinedDays), p.First, thousands(rounded(p.FirstAt)), thousands(rounded(p.LastAt)))
		}
	}
	b.WriteString("\n| Passages in Milvus | Vectors | Graph | Words | Other fields | Memory with a third free | Query nodes of " + number(h.Node) + " GiB | Bucket | A worker holds |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, passages := range inAVast {
		s := m.milvus(h, passages)
		fmt.Fprintf(&b, "| %s | %s GiB | %s GiB | %s GiB | %s GiB | %s GiB | %s | %s GiB | %s GiB |\n", thousands(passages), number(s.vectors/gib), number(s.graph/gib), number(s.words/gib), number(s.scalars/gib),
			number(s.memory()), number(s.nodes(h)), thousands(s.disk()), number(m.register(passages)/gib))
	}
	return b.String()
}

// number writes a value with two digits that count, or whole.
func number(v float64) string {
	switch {
	case v == 0:
		return "0"
	case math.Abs(v) >= 10 || v == math.Trunc(v):
		return thousands(math.Round(v))
	case math.Abs(v) >= 1:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2g", v)
}

// thousands writes a whole number in groups of three.
func thousands(v float64) string {
	digits := fmt.Sprintf("%.0f", v)
	var groups []string
	for len(digits) > 3 {
		groups = append([]string{digits[len(digits)-3:]}, groups...)
		digits = digits[:len(digits)-3]
	}
	return strings.Join(append([]string{digits}, groups...), ",")
}

// rounded has two digits that count: more would be more than is known.
func rounded(v float64) float64 {
	if v < 10 {
		return math.Round(v)
	}
	unit := math.Pow(10, math.Floor(math.Log10(v))-1)
	return math.Round(v/unit) * unit
}

func duration(days float64) string {
	switch {
	case days < 1.0/24:
		return fmt.Sprintf("%.0f min", math.Ceil(days*24*60))
	case days < 2:
		return fmt.Sprintf("%.0f h", math.Ceil(days*24))
	}
	return fmt.Sprintf("%.0f days", math.Ceil(days))
}
