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
	"vigueur/internal/search/transformer"
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

// keptTable returns the table of an encoder as it was kept in the folder for lists.
func (t *training) keptTable(name string, fresh func() (*encode.Table, error)) (*encode.Table, error) {
	return keptFile(t, name, encode.Read, (*encode.Table).Bytes, fresh)
}

// keptProjection returns a projection as it was kept in the folder for lists.
func (t *training) keptProjection(name string, fresh func() (*transformer.Projection, error)) (*transformer.Projection, error) {
	return keptFile(t, name, transformer.ReadProjection, (*transformer.Projection).Bytes, fresh)
}

// keptFile returns what was kept in a file of the folder for lists. What an encoder or a
// projection learns does not depend on the search, so that it may stay when the lists are
// emptied.
func keptFile[M any](t *training, name string, read func([]byte) (*M, error), write func(*M) ([]byte, error), fresh func() (*M, error)) (*M, error) {
	path := filepath.Join(t.lists, name)
	if t.lists != "" {
		data, err := os.ReadFile(path)
		if err == nil {
			return read(data)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	m, err := fresh()
	if err != nil || t.lists == "" {
		return m, err
	}
	data, err := write(m)
	if err != nil {
		return nil, err
	}
	return m, os.WriteFile(path, data, 0o644)
}
