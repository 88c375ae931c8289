package main

import (
	"context"
	"fmt"

	"vigueur/internal/kit/version"
)

// version runs « version ».
func (a *app) version(context.Context, *input) error {
	v := version.Read()
	if a.json {
		return writeJSON(a.out, v)
	}
	line := "vigueur " + v.Version
	if v.Revision != "" {
		line += " (" + v.Revision + ", " + v.Time + ")"
	}
	_, err := fmt.Fprintln(a.out, line+", "+v.Go)
	return err
}
