package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"vigueur/e2e/stage"
	"vigueur/internal/store/redisurl"
	"vigueur/scripts/benchmark/report"
)

// part is what takes processor time.
type part int

const (
	apis part = iota
	workers
	postgres
	redis
	others // this program: the model, and those who ask
	parts
)

func (p part) String() string {
	return [...]string{"api", "worker", "postgres", "redis", "load"}[p]
}

// spent is what the parts have used so far, or in a while: seconds of processor time, and what the stores were asked.
type spent struct {
	seconds                      [parts]float64
	transactions, rows, wal      float64 // PostgreSQL: commits, rows written, bytes of its log
	commands, received, returned float64 // Redis: and bytes
	pages                        float64 // of gazettes that were read
	refined                      float64 // passages that got vectors of sentences
	machine                      float64 // seconds in which a processor of this machine was busy, with whatever
	at                           time.Time
}

// less is what was used between another moment and this one.
func (s spent) less(before spent) spent {
	for p := range s.seconds {
		s.seconds[p] -= before.seconds[p]
	}
	s.transactions, s.rows, s.wal = s.transactions-before.transactions, s.rows-before.rows, s.wal-before.wal
	s.commands, s.received, s.returned = s.commands-before.commands, s.received-before.received, s.returned-before.returned
	s.pages, s.refined, s.machine = s.pages-before.pages, s.refined-before.refined, s.machine-before.machine
	return s
}

// times is what so much of it would be.
func (s spent) times(n float64) spent {
	for p := range s.seconds {
		s.seconds[p] *= n
	}
	s.transactions, s.rows, s.wal = s.transactions*n, s.rows*n, s.wal*n
	s.commands, s.received, s.returned = s.commands*n, s.received*n, s.returned*n
	return s
}

// all is the processor time of all parts.
func (s spent) all() (sum float64) {
	for _, n := range s.seconds {
		sum += n
	}
	return sum
}

// used looks at all parts now.
func (s *system) used(ctx context.Context) (u spent, err error) {
	u.at = time.Now()
	u.seconds[others] = report.Used().Seconds()
	for p, of := range map[part][]*stage.Process{apis: s.apis[:], workers: s.workers} {
		for _, process := range of {
			n, err := cpu(process.PID())
			if err != nil {
				return u, err
			}
			u.seconds[p] += n
		}
	}
	if u.seconds[postgres], err = s.postgresCPU(); err != nil {
		return u, err
	}
	if u.seconds[redis], err = cpu(s.Redis.Process()); err != nil {
		return u, err
	}
	if u.machine, err = machine(); err != nil {
		return u, err
	}
	err = s.Query(ctx, `SELECT xact_commit::float8, (tup_inserted + tup_updated + tup_deleted)::float8, (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8,
		(SELECT coalesce(sum(pages_done), 0) FROM ingestions)::float8,
		(SELECT count(*) FROM vectors JOIN generations g ON g.id = generation_id WHERE g.role = 'sentences')::float8
		FROM pg_stat_database WHERE datname = current_database()`, &u.transactions, &u.rows, &u.wal, &u.pages, &u.refined)
	if err != nil {
		return u, err
	}
	err = s.redisOps(ctx, &u)
	return u, err
}

func (s *system) redisOps(ctx context.Context, u *spent) error {
	client, err := redisurl.Open(s.Redis.URL())
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }() // it was only read
	info, err := client.InfoMap(ctx, "stats").Result()
	if err != nil {
		return err
	}
	for name, into := range map[string]*float64{"total_commands_processed": &u.commands, "total_net_input_bytes": &u.received, "total_net_output_bytes": &u.returned} {
		if _, err := fmt.Sscan(info["Stats"][name], into); err != nil {
			return fmt.Errorf("redis tells no %s: %w", name, err)
		}
	}
	return nil
}

// Fields of /proc/PID/stat behind the program's name.
const (
	statParent = 1
	statUser   = 11 // ticks in the program, in the kernel, and of children that have ended, both
	statEnd    = 15
	ticks      = 100 // a second
)

// machine is for how long the processors of this machine were busy, in seconds of all of them: the first line of
// /proc/stat without what they were idle, waiting for a disk, or another guest's.
func machine() (float64, error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(strings.SplitN(string(text), "\n", 2)[0])
	const idle, disk, steal = 4, 5, 8
	sum := 0.0
	for i := 1; i < min(len(fields), steal); i++ {
		if i == idle || i == disk {
			continue
		}
		n, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum / ticks, nil
}

func stat(pid int) ([]string, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil, err
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:])) // the name may hold blanks
	if len(fields) < statEnd {
		return nil, fmt.Errorf("process %d: /proc tells %d fields", pid, len(fields))
	}
	return fields, nil
}

// cpu is the processor time of a process, of its children that have ended, and of those that run (a worker's that read a
// PDF), in seconds.
func cpu(pid int) (seconds float64, err error) {
	own, err := ended(pid)
	if err != nil {
		return 0, err
	}
	children, err := childrenOf(pid)
	for _, child := range children {
		if n, err := ended(child); err == nil { // else it has just ended, and is among those
			own += n
		}
	}
	return own, err
}

// ended is that of a process and of its children that have ended.
func ended(pid int) (float64, error) {
	fields, err := stat(pid)
	if err != nil {
		return 0, err
	}
	sum := 0
	for _, f := range fields[statUser:statEnd] {
		n, err := strconv.Atoi(f)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return float64(sum) / ticks, nil
}

func childrenOf(pid int) (list []int, err error) {
	all, err := filepath.Glob("/proc/[0-9]*")
	for _, path := range all {
		child, err := strconv.Atoi(filepath.Base(path))
		if err != nil {
			continue
		}
		if fields, err := stat(child); err == nil && fields[statParent] == strconv.Itoa(pid) {
			list = append(list, child)
		}
	}
	return list, err
}

// postgresCPU is that of the server: the process that is the parent of our APIs' connections, with all its children.
func (s *system) postgresCPU() (float64, error) {
	if s.postmaster == 0 {
		return 0, errors.New("PostgreSQL is not on this machine: its processor time cannot be told")
	}
	return cpu(s.postmaster)
}

// findPostgres finds the server's first process.
func (s *system) findPostgres(ctx context.Context) error {
	var pid int
	err := s.Query(ctx, `SELECT min(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`, &pid)
	if err != nil {
		return err
	}
	fields, err := stat(pid)
	if err != nil {
		return fmt.Errorf("PostgreSQL is not on this machine: %w", err)
	}
	s.postmaster, err = strconv.Atoi(fields[statParent])
	return err
}
