package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/search/memindex"
	"vigueur/internal/search/milvus"
	"vigueur/scripts/benchmark/report"
)

const (
	milvusProgram = ".state/milvus/venv/bin/milvus-lite"
	// milvusQuestions is how many questions Milvus is asked: Milvus Lite, which is
	// in Python, takes a second or more for each.
	milvusQuestions = 10
	// milvusAtMost is up to how many passages are written to it.
	milvusAtMost = 100_000
	milvusTime   = 5 * time.Minute // for its start, and for each search
	milvusPart   = 2_000           // passages made ready for it at a time
)

// besideMilvus measures the search of the same articles in a Milvus, by words: the
// one of VIGUEUR_MILVUS_URL, else Milvus Lite where it is installed.
func besideMilvus(ctx context.Context, r *report.Report, source *made, questions []string) (err error) {
	if len(source.rows) > milvusAtMost {
		return nil
	}
	name, address := "Milvus", os.Getenv("VIGUEUR_MILVUS_URL")
	if address == "" {
		if _, err := os.Stat(milvusProgram); err != nil {
			fmt.Println("Milvus: not here (VIGUEUR_MILVUS_URL, or scripts/setup --milvus)")
			return nil
		}
		stop := func() error { return nil }
		if address, stop, err = startLite(); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, stop()) }()
		name = "Milvus Lite"
	}
	before := held()
	register, err := memindex.Open(ctx, memindex.Options{Source: source, Register: true})
	if err != nil {
		return err
	}
	r.Peer(name, "worker_bytes_per_passage", (held()-before)/float64(len(source.rows)))
	store := &milvus.Store{Address: address, Key: os.Getenv("VIGUEUR_MILVUS_KEY"), Patience: milvusTime, Alias: "vigueur_bench_" + uuid.NewString()[:8]}
	began := time.Now()
	in, err := store.Begin(ctx, milvus.Collection{Average: register.Average()})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Remove(context.WithoutCancel(ctx), in)) }()
	for rest := source.rows; len(rest) > 0; {
		n := min(milvusPart, len(rest))
		if err := store.Replace(ctx, in, 1, nil, in.Rows(rest[:n], nil)); err != nil {
			return err
		}
		rest = rest[n:]
	}
	if err := store.Publish(ctx, in); err != nil {
		return err
	}
	r.Peer(name, "made_ms", milliseconds(began))
	return askMilvus(ctx, r, name, &milvus.Index{Store: store, Register: register}, questions[:min(milvusQuestions, len(questions))])
}

func askMilvus(ctx context.Context, r *report.Report, name string, x *milvus.Index, questions []string) error {
	var took []float64
	for _, q := range questions {
		began := time.Now()
		if _, err := x.Search(ctx, memindex.Query{Text: q, Limit: hitsAsked}); err != nil {
			return err
		}
		took = append(took, milliseconds(began))
	}
	r.Peer(name, "p50_ms", quantile(took, .5))
	r.Peer(name, "p99_ms", quantile(took, .99))
	return nil
}

// startLite starts Milvus Lite on a folder of its own.
func startLite() (address string, stop func() error, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	address = l.Addr().String()
	_, port, err := net.SplitHostPort(address)
	if err := errors.Join(err, l.Close()); err != nil {
		return "", nil, err
	}
	dir, err := os.MkdirTemp("", "vigueur-milvus-*")
	if err != nil {
		return "", nil, err
	}
	p := exec.Command(milvusProgram, "server", "--data-dir", dir, "--host", "127.0.0.1", "--port", port)
	p.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.Start(); err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(dir))
	}
	stop = func() error {
		err := syscall.Kill(-p.Process.Pid, syscall.SIGTERM)
		_ = p.Wait() // ended by the signal
		return errors.Join(err, os.RemoveAll(dir))
	}
	for until := time.Now().Add(milvusTime); time.Now().Before(until); time.Sleep(100 * time.Millisecond) {
		if c, err := net.Dial("tcp", address); err == nil {
			return address, stop, c.Close()
		}
	}
	return "", nil, errors.Join(errors.New("Milvus Lite does not start"), stop())
}
