package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"os"

	"vigueur/internal/law/amend"
)

// testCase is a case of the file. after and operations are only read to judge and to count.
type testCase struct {
	ID          string           `json:"id"`
	Country     string           `json:"country"`
	Act         string           `json:"act"`
	Passage     string           `json:"amending_passage"`
	Articles    []string         `json:"amending_articles"`
	TargetTitle string           `json:"target_title"`
	Target      string           `json:"target_article"`
	Before      *string          `json:"before"`
	After       *string          `json:"after"`
	Operations  []string         `json:"operations"`
	Certain     bool             `json:"certain"`
	failed      *amend.Operation // the operation that was not applied, to print it
}

// wholeAct is an act of the file of acts.
type wholeAct struct {
	Act      string `json:"act"`
	Articles []struct {
		Number  string   `json:"no"`
		Bill    string   `json:"no_bill"`
		Alineas []string `json:"alineas"`
	} `json:"articles"`
}

// readLines reads a file of JSON lines, compressed or not.
func readLines[T any](file string) (out []T, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	buffered := bufio.NewReader(f)
	var in io.Reader = buffered
	if magic, _ := buffered.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		if in, err = gzip.NewReader(buffered); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	for d := json.NewDecoder(in); ; {
		var t T
		if err := d.Decode(&t); err == io.EOF {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, len(out)+1, err)
		}
		out = append(out, t)
	}
}

// halfOf returns the half that an act belongs to, by the hash of its name.
func halfOf(act string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(act)) // a hash takes every byte
	if h.Sum32()&1 == 0 {
		return "A"
	}
	return "B"
}
