package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"vigueur/internal/layout"
	"vigueur/internal/readpages"
	"vigueur/internal/segment"
)

// sight reads files for the measures as a worker does.
type sight struct {
	app *app
	readpages.Reader
}

// flags adds what all measures can be told, and ends what they leave.
func (s *sight) flags(c *cobra.Command) {
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		defer s.Close()
		return run(c, args)
	}
	s.Reading = func(path string) { fmt.Fprintf(s.app.err, "Lecture de %s…\n", clean(filepath.Base(path))) }
	c.Flags().StringVar(&s.Cache, "pages", "", "`DOSSIER` où garder les mots lus, pour mesurer de nouveau sans relire")
}

// issue reads a file and cuts it, on the production path.
func (s *sight) issue(ctx context.Context, path string) (segment.Issue, []layout.Page, error) {
	pages, err := s.Words(ctx, path)
	if err != nil {
		return segment.Issue{}, nil, fmt.Errorf("%s: %w", path, err)
	}
	layout.Arrange(pages)
	return segment.Split(pages, segment.Hints{Filename: filepath.Base(path)}), pages, nil
}
