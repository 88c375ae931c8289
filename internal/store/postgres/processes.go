package postgres

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/version"
)

// A program tells the server who it is as the name of its connections (application_name):
// « vigueur-worker 180 1a2b3c:8 v0.9.2 ». So the server's own list of sessions is the list of the
// processes that run: an entry is there while its process is, and nothing has to be written,
// renewed or removed.

// Process is a program that is connected to the database.
type Process struct {
	Program string // « api », « worker »
	Version string // of the program, as package built tells it; the server keeps at least its first 32 bytes
	Newest  int64  // the last migration that it knows
	ID      string // of this run of the program
	// Connections is the most connections that it opens; 0: it does not tell.
	Connections int
}

// longestName is how many bytes of a name PostgreSQL keeps.
const longestName = 63

const namePrefix = "vigueur-"

// name is the process as the name of a connection.
func (p Process) name() string {
	said := fmt.Sprintf("%s%s %d %s:%d %s", namePrefix, p.Program, p.Newest, p.ID, p.Connections, p.Version)
	return said[:min(longestName, len(said))]
}

// processOf reads a name of a connection; ok is false if it is nobody of ours.
func processOf(name string) (p Process, ok bool) {
	rest, ours := strings.CutPrefix(name, namePrefix)
	if !ours {
		return p, false
	}
	n, err := fmt.Sscan(rest, &p.Program, &p.Newest, &p.ID, &p.Version)
	id, connections, _ := strings.Cut(p.ID, ":")
	p.ID = id
	p.Connections, _ = strconv.Atoi(connections) // an older program does not tell
	return p, n == 4 && err == nil
}

// ThisProcess is a run of the program, which begins now.
func ThisProcess(program string) (Process, error) {
	newest, err := NewestMigration()
	id := make([]byte, 3)
	_, _ = rand.Read(id) // never fails
	return Process{Program: program, Version: version.Read().Version, Newest: newest, ID: hex.EncodeToString(id)}, err
}

// Processes returns the programs that are connected to the database now, a row each, in order of
// program and version. A role sees its own connections: those of the service for the service's role.
func (db *DB) Processes(ctx context.Context) ([]Process, error) {
	rows, err := db.pool.Query(ctx, `SELECT DISTINCT application_name FROM pg_stat_activity
		WHERE datname = current_database() AND application_name LIKE $1 || '%' ORDER BY application_name`, namePrefix)
	if err != nil {
		return nil, classify("processes", err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	var all []Process
	for _, name := range names {
		if p, ok := processOf(name); ok {
			all = append(all, p)
		}
	}
	return all, classify("processes", err)
}
