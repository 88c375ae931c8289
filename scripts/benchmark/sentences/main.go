// Command sentences measures how many passages the transformer reads for a second of one core, by each kernel, beside onnxruntime.
//
// The passages are those of the sample gazettes, put together to the length of real ones: 176 pieces, as the mean of 8,072 passages
// of real law. Each kernel reads them in a process of its own, because a process chooses its kernel when it begins. onnxruntime reads
// the same pieces with the same weights (peer.py), in 8 bits, which it does fastest: by its own kernels for this processor,
// which no setting of it makes a lesser one. It is installed into .state/onnx the first time; where the package index cannot be
// had, its figures are missing. All are passages for a second of processor time, because other work on the machine moves that
// less than the clock.
package main

import (
	"context"
	_ "embed" // the peer
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"vigueur/e2e/stage"
	"vigueur/internal/search/transformer"
	"vigueur/scripts/benchmark/report"
	"vigueur/scripts/corpora"
)

// length is the number of pieces of a passage.
const length = 176

//go:embed peer.py
var peer string

func main() {
	count := flag.Int("passages", 200, "passages to read")
	alone := flag.Bool("alone", false, "read them in this process, and print the passages a second")
	flag.Parse()
	run := compare
	if *alone {
		run = read
	}
	if err := run(context.Background(), *count); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// read reads passages by the kernel in use and prints how many it reads in a second.
func read(ctx context.Context, count int) error {
	m, texts, err := passages(count)
	if err != nil {
		return err
	}
	if _, err := m.Encode(ctx, texts[0]); err != nil { // makes what is made once
		return err
	}
	before := report.Used()
	for _, text := range texts {
		if _, err := m.Encode(ctx, text); err != nil {
			return err
		}
	}
	fmt.Println(float64(len(texts)) / (report.Used() - before).Seconds())
	return nil
}

// passages returns the transformer and texts of length pieces each.
func passages(count int) (*transformer.Model, []string, error) {
	m, err := transformer.Builtin()
	if err != nil {
		return nil, nil, err
	}
	articles, err := corpora.SampleArticles(stage.Root())
	if err != nil {
		return nil, nil, err
	}
	words := strings.Fields(strings.Join(articles, " "))
	var texts []string
	for i := range count {
		text := "passage:"
		for n := i * 37; len(m.Pieces.Of(text)) < length-2; n++ {
			text += " " + words[n%len(words)]
		}
		texts = append(texts, text)
	}
	return m, texts, nil
}

func compare(ctx context.Context, count int) error {
	r := report.New("sentences", report.ThisMachine())
	figures := map[string]float64{}
	for range 2 { // in turn: the better of two
		for _, way := range []struct{ name, debug string }{{"wide", ""}, {"avx2", "cpu.avx512f=off"}} {
			self := exec.CommandContext(ctx, os.Args[0], "-alone", "-passages", fmt.Sprint(count))
			self.Env = append(os.Environ(), "GODEBUG="+way.debug)
			var speed float64
			out, err := self.Output()
			if err == nil {
				_, err = fmt.Sscan(string(out), &speed)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", way.name, err)
			}
			figures[way.name] = max(figures[way.name], speed)
		}
	}
	for _, name := range []string{"wide", "avx2"} {
		r.Figure(name+"_passages_per_s", figures[name], "passages/s of one core")
		r.Goal(name+"_passages_per_s", report.AtLeast, 15)
	}
	speed, err := onnx(ctx, count)
	if err != nil {
		fmt.Fprintln(os.Stderr, "onnxruntime is not measured:", err)
	} else {
		r.Peer("onnxruntime", "wide_passages_per_s", speed)
	}
	return r.Print(os.Stdout)
}

// onnx returns how many passages onnxruntime reads in a second of one core.
func onnx(ctx context.Context, count int) (speed float64, err error) {
	folder := filepath.Join(stage.Root(), ".state", "onnx")
	python := filepath.Join(folder, "bin", "python")
	if err := exec.CommandContext(ctx, python, "-c", "import onnx, onnxruntime").Run(); err != nil {
		fmt.Fprintln(os.Stderr, "Installing onnxruntime into .state/onnx.")
		for _, command := range [][]string{{"python3", "-m", "venv", folder}, {python, "-m", "pip", "install", "-q", "onnxruntime==1.32.0", "onnx==1.23.2"}} {
			if out, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput(); err != nil {
				return 0, fmt.Errorf("%w: %s", err, out)
			}
		}
	}
	m, texts, err := passages(count)
	if err != nil {
		return 0, err
	}
	type passage struct {
		Pieces []int32   `json:"pieces"`
		Vector []float32 `json:"vector"`
	}
	var all []passage
	for i, text := range texts {
		p := passage{Pieces: append(append([]int32{int32(m.Pieces.Begin)}, m.Pieces.Of(text)...), int32(m.Pieces.End))}
		if i == 0 { // the peer compares its own
			if p.Vector, err = m.Encode(ctx, text); err != nil {
				return 0, err
			}
		}
		all = append(all, p)
	}
	data, err := json.Marshal(all)
	if err != nil {
		return 0, err
	}
	c := exec.CommandContext(ctx, python, "-c", peer, filepath.Join(stage.Root(), "internal/search/transformer/weights.bin"))
	c.Stdin, c.Stderr = strings.NewReader(string(data)), os.Stderr
	out, err := c.Output()
	if err != nil {
		return 0, err
	}
	_, err = fmt.Sscan(string(out), &speed)
	return speed, err
}
