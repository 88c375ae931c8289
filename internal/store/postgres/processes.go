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

// A program describes itself to the server in the name of its connections (application_name): « vigueur-worker 180
// 1a2b3c:8 v0.9.2 ». So the server's own list of sessions shows which processes run: an entry exists exactly as long
// as its process is connected, and nothing has to be written, renewed or removed.

// Process is a program that is connected to the database.
type Process struct {
	Program string // « api », « worker »
	Version string // version of the program from package version; the server keeps at least its first 32 bytes
	Newest  int64  // number of the last migration that the program knows
	ID      string // random id of this run of the program
	// Connections is the maximum number of connections that the process opens; 0: unknown.
	Connections int
}

// longestName is the number of bytes of an application_name that PostgreSQL keeps.
const longestName = 63

const namePrefix = "vigueur-"

// name encodes the process as the name of a connection.
func (p Process) name() string {
	name := fmt.Sprintf("%s%s %d %s:%d %s", namePrefix, p.Program, p.Newest, p.ID, p.Connections, p.Version)
	return name[:min(longestName, len(name))]
}

// processOf decodes the name of a connection; ok is false if no program of the service has it.
func processOf(name string) (p Process, ok bool) {
	rest, ours := strings.CutPrefix(name, namePrefix)
	if !ours {
		return p, false
	}
	n, err := fmt.Sscan(rest, &p.Program, &p.Newest, &p.ID, &p.Version)
	id, connections, _ := strings.Cut(p.ID, ":")
	p.ID = id
	p.Connections, _ = strconv.Atoi(connections) // older programs do not send the number
	return p, n == 4 && err == nil
}

// ThisProcess returns the description of this process, with a new ID.
func ThisProcess(program string) Process {
	id := make([]byte, 3)
	_, _ = rand.Read(id) // never fails
	return Process{Program: program, Version: version.Read().Version, Newest: NewestMigration(), ID: hex.EncodeToString(id)}
}

// Processes returns the processes that are connected to the database now, one row per process, ordered by program and
// version. A role sees only the connections of its own role.
func (db *DB) Processes(ctx context.Context) ([]Process, error) {
	names, err := collect(ctx, db.pool, pgx.RowTo[string], `SELECT DISTINCT application_name FROM pg_stat_activity
		WHERE datname = current_database() AND application_name LIKE $1 || '%' ORDER BY application_name`, namePrefix)
	var all []Process
	for _, name := range names {
		if p, ok := processOf(name); ok {
			all = append(all, p)
		}
	}
	return all, classify("processes", err)
}
