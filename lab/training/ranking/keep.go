package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"vigueur/internal/search/encode"
	"vigueur/internal/search/rank"
	"vigueur/lab/judged"
	"vigueur/lab/training/ranking/learn"
)

// kept returns lists that were kept in the folder for lists; those that are not there
// are made and kept. Lists with other features are refused.
func (t *training) kept(name string, by rank.Vectors, fresh func() ([]*learn.List, error)) (lists []*learn.List, err error) {
	if t.lists == "" {
		return fresh()
	}
	path := filepath.Join(t.lists, fmt.Sprintf("%s-%s.gob", name, strings.ReplaceAll(by.String(), " ", "-")))
	f, err := os.Open(path)
	if err == nil {
		defer f.Close()
		if err = judged.DecodeShaped(f, &lists, rank.Names()...); err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return lists, err
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if lists, err = fresh(); err != nil {
		return nil, err
	}
	if f, err = os.Create(path); err != nil {
		return nil, err
	}
	return lists, errors.Join(judged.EncodeShaped(f, lists, rank.Names()...), f.Close())
}

// keptTable returns the table of an encoder as it was kept in the folder for lists; what
// an encoder learns does not depend on the search, so that it may stay when the lists
// are emptied.
func (t *training) keptTable(name string, fresh func() (*encode.Table, error)) (*encode.Table, error) {
	path := filepath.Join(t.lists, name)
	if t.lists != "" {
		data, err := os.ReadFile(path)
		if err == nil {
			return encode.Read(data)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	table, err := fresh()
	if err != nil || t.lists == "" {
		return table, err
	}
	data, err := table.Bytes()
	if err != nil {
		return nil, err
	}
	return table, os.WriteFile(path, data, 0o644)
}
