package main

import (
	"fmt"
	"io"
	"time"

	"vigueur/internal/store/postgres"
)

// betweenLines is the minimum time between two lines about texts: a large database takes
// minutes, and each line stays in the log of a job.
const betweenLines = 5 * time.Second

// migrating prints the progress of « migrate up » as lines.
type migrating struct {
	w    io.Writer
	now  func() time.Time
	step string    // step of the last printed line
	last time.Time // time of the last printed line
}

// show prints a line for each migration. For each of the preparations it prints the first
// and the last progress, and others at most every five seconds.
func (m *migrating) show(p postgres.Migrating) {
	now := m.now()
	began := p.Step != m.step
	if !began && p.Number < p.Of && now.Sub(m.last) < betweenLines {
		return
	}
	m.step, m.last = p.Step, now
	switch p.Step {
	case postgres.PreparesSearch:
		fmt.Fprintf(m.w, "recherche par mots : %d textes prêts sur %d\n", p.Number, p.Of)
	case postgres.PreparesNames:
		fmt.Fprintf(m.w, "noms des textes : %d prêts sur %d\n", p.Number, p.Of)
	default:
		fmt.Fprintf(m.w, "étape %d sur %d : %s\n", p.Number, p.Of, p.Step)
	}
}
