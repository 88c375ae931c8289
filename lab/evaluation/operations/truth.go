package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// order is what an act orders about one article, as a person has read it.
type order struct {
	ID      string `json:"id"`
	File    string `json:"file"`
	Country string `json:"country"`
	Act     struct {
		Type   string  `json:"type"`
		Number *string `json:"number"`
		Date   *string `json:"date"`
	} `json:"act"`
	By          string `json:"amending_article"`
	Instruction string `json:"instruction"`
	Target      struct {
		Title  string  `json:"title"`
		Number *string `json:"number"`
		Date   *string `json:"date"`
	} `json:"target"`
	Article string  `json:"target_article"` // "": the text as a whole
	Kind    string  `json:"kind"`
	First   string  `json:"new_first"`
	Last    string  `json:"new_last"`
	Place   *string `json:"place"`
}

// act names the act of an order.
func (o order) act() string {
	return strings.Join([]string{o.File, o.Act.Type, value(o.Act.Number), value(o.Act.Date)}, "|")
}

// sealed reports whether the act of an order is among the third that only totals are told of.
func (o order) sealed() bool {
	return sha256.Sum256([]byte(o.Country + "|" + o.act()))[0]%3 == 0
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// readOrders reads a file of orders, one a line.
func readOrders(path string) (out []order, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var o order
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, len(out)+1, err)
		}
		out = append(out, o)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: no orders", path)
	}
	return out, nil
}
