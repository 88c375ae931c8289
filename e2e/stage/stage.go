// Package stage sets up the whole system for a test or a benchmark: a database
// and a Redis of its own, the built programs as processes on free ports, a
// folder for files, and clients that speak to it as its users do. Nothing of it
// is shared with another stage, and Close leaves nothing behind.
//
// The programs are the ones in VIGUEUR_BIN, or in .state/bin of the repository;
// the database server is that of VIGUEUR_TEST_DATABASE_URL, or of scripts/services.
package stage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/ops/config"
	"vigueur/internal/work/queue/redistest"
)

// ErrAbsent says that something that a stage needs is not there.
var ErrAbsent = errors.New("stage: not set up")

// Stage is a whole system.
type Stage struct {
	Dir   string
	Redis *redistest.Server

	bin       string
	server    string // the database server's address
	database  string
	env       map[string]string
	processes []*Process
	closers   []func()
	held      atomic.Pointer[hold] // of the model, see HoldModel
	user      string               // the address of the account that Token signs in
	password  string
}

// Open prepares a migrated database, a Redis and an account, and starts no
// process yet. ErrAbsent when the programs are not built or there is no database
// server.
func Open(ctx context.Context) (*Stage, error) {
	environ := config.Environ()
	server := environ["VIGUEUR_TEST_DATABASE_URL"]
	if server == "" {
		server = environ["VIGUEUR_DATABASE_URL"]
	}
	if server == "" {
		return nil, fmt.Errorf("%w: no PostgreSQL: scripts/services start", ErrAbsent)
	}
	return OpenOn(ctx, server)
}

// OpenOn prepares a stage on the database server at an address.
func OpenOn(ctx context.Context, server string) (*Stage, error) {
	return build(server, func(s *Stage) error {
		if err := s.createDatabase(ctx, ""); err != nil {
			return err
		}
		return s.prepare(ctx)
	})
}

// Copy prepares a stage that has what s has in its database and its folder of
// files, and nothing of it in common. Nothing of s may run meanwhile.
func (s *Stage) Copy(ctx context.Context) (*Stage, error) {
	return build(s.server, func(own *Stage) error {
		if err := own.createDatabase(ctx, s.database); err != nil {
			return err
		}
		own.settings()
		own.user, own.password = s.user, s.password
		return os.CopyFS(filepath.Join(own.Dir, "blobs"), os.DirFS(filepath.Join(s.Dir, "blobs")))
	})
}

// build makes a stage with a folder and a Redis, and fills it; what was made of
// one that cannot be filled is removed.
func build(server string, fill func(*Stage) error) (s *Stage, err error) {
	s = &Stage{bin: binaries(), server: server, env: map[string]string{}}
	if _, err := os.Stat(filepath.Join(s.bin, "api")); err != nil {
		return nil, fmt.Errorf("%w: no programs in %s: build them by scripts/test or scripts/run", ErrAbsent, s.bin)
	}
	if s.Dir, err = os.MkdirTemp("", "vigueur-stage-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if s.Redis, err = redistest.Open(mkdir(s.Dir, "redis")); err != nil {
		return nil, err
	}
	err = fill(s)
	return s, err
}

func binaries() string {
	if dir := os.Getenv("VIGUEUR_BIN"); dir != "" {
		return dir
	}
	return filepath.Join(Root(), ".state", "bin")
}

// Root is the repository's folder.
func Root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(filepath.Dir(file)))
}

// Sample returns the paths of the sample gazettes, without the scan.
func Sample() []string {
	all, err := filepath.Glob(filepath.Join(Root(), "scripts", "sample", "gazettes", "*.pdf"))
	if err != nil {
		panic(err) // the pattern is ours
	}
	var digital []string
	for _, path := range all {
		if !strings.Contains(path, "scan") {
			digital = append(digital, path)
		}
	}
	return digital
}

func mkdir(parent, name string) string {
	dir := filepath.Join(parent, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return parent // what comes next says what is wrong
	}
	return dir
}

// createDatabase makes the stage's database, empty or like another.
func (s *Stage) createDatabase(ctx context.Context, like string) error {
	s.database = "vigueur_stage_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	if like == "" {
		where, err := s.inMemory(ctx)
		if err != nil {
			return err
		}
		return s.execute(ctx, "CREATE DATABASE "+s.database+where)
	}
	return s.execute(ctx, "CREATE DATABASE "+s.database+" TEMPLATE "+like+" STRATEGY FILE_COPY")
}

// inMemory is the end of a CREATE DATABASE that makes it in the machine's memory, where scripts/test has given the server
// a place there; "" elsewhere. One that is like another lies where that lies.
func (s *Stage) inMemory(ctx context.Context) (clause string, err error) {
	conn, err := pgx.Connect(ctx, s.server)
	if err != nil {
		return "", fmt.Errorf("%w: PostgreSQL: %w", ErrAbsent, err)
	}
	var has bool
	err = conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_tablespace WHERE spcname = 'vigueur_tests')`).Scan(&has)
	if has {
		clause = " TABLESPACE vigueur_tests"
	}
	return clause, errors.Join(err, conn.Close(ctx))
}

func (s *Stage) execute(ctx context.Context, sql string) error {
	conn, err := pgx.Connect(ctx, s.server)
	if err != nil {
		return fmt.Errorf("%w: PostgreSQL: %w", ErrAbsent, err)
	}
	_, err = conn.Exec(ctx, sql)
	return errors.Join(err, conn.Close(ctx))
}

// DatabaseURL is the stage's own database.
func (s *Stage) DatabaseURL() string {
	u, err := url.Parse(s.server)
	if err != nil {
		return s.server
	}
	u.Path = "/" + s.database
	if q := u.Query(); !q.Has("connect_timeout") {
		q.Set("connect_timeout", "60") // beside the other tests, which take every core, a start may take longer than the programs' own 5 s
		u.RawQuery = q.Encode()
	}
	return u.String()
}

// EndConnections ends every client's connection to the stage's database, as a
// restart of the server does. The server's own processes are in the same view
// (autovacuum starts on a database whenever it likes) and only a superuser may
// end them.
func (s *Stage) EndConnections(ctx context.Context) error {
	return s.execute(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE datname = '`+s.database+`' AND backend_type = 'client backend' AND usename = current_user AND pid <> pg_backend_pid()`)
}

// settings are those that a stage begins with.
func (s *Stage) settings() {
	const secret = "a-secret-for-tests-of-32-bytes-or-more"
	s.env = map[string]string{
		"VIGUEUR_DATABASE_URL": s.DatabaseURL(), "VIGUEUR_REDIS_URL": s.Redis.URL(),
		"VIGUEUR_BLOBS_URL": "file://" + mkdir(s.Dir, "blobs"), "VIGUEUR_MAIL_DIR": mkdir(s.Dir, "mail"), "VIGUEUR_JWT_SECRET": secret, "VIGUEUR_ADDRESS_SECRET": secret,
	}
}

// prepare writes the settings, migrates and makes an account, all as an
// operator would.
func (s *Stage) prepare(ctx context.Context) error {
	s.settings()
	if out, code := s.Ingest(ctx, "", "migrate", "up"); code != 0 {
		return fmt.Errorf("stage: migrate: exit %d: %s", code, out)
	}
	s.user, s.password = "essai@exemple.org", "un mot de passe d’essai"
	return s.AddUser(ctx, s.user, "user")
}

// Set changes a setting of the processes that start from now on.
func (s *Stage) Set(name, value string) { s.env[name] = value }

// Programs has what starts from now on come from another folder, and gives the one
// before: programs of two versions beside each other.
func (s *Stage) Programs(folder string) (before string) {
	before, s.bin = s.bin, folder
	return before
}

// Account is who the stage's own user is: the address and the password, which is
// every account's.
func (s *Stage) Account() (email, password string) { return s.user, s.password }

// AddUser makes an account with the stage's password.
func (s *Stage) AddUser(ctx context.Context, email, role string) error {
	out, code := s.Ingest(ctx, s.password+"\n", "user", "create", "--email", email, "--name", "Essai", "--role", role, "--password-stdin")
	if code != 0 {
		return fmt.Errorf("stage: user: exit %d: %s", code, out)
	}
	return nil
}

// Key makes an API key of the stage's user for the scopes, which commas separate, with the
// highest limits.
func (s *Stage) Key(ctx context.Context, scopes string) (string, error) {
	key, err := s.Command(ctx, "keys", "create", "--owner", s.user, "--name", "essai", "--scope", scopes, "--per-minute", "6000").Output()
	return strings.TrimSpace(string(key)), err
}

// Ingest runs the operator's command and gives what it printed, standard
// output and error together, and its exit code (-1: it could not be run).
func (s *Stage) Ingest(ctx context.Context, stdin string, args ...string) (printed string, code int) {
	cmd := s.Command(ctx, args...)
	cmd.Stdin = strings.NewReader(stdin)
	return output(cmd)
}

// RunProgram runs a program with settings over the stage's own (NAME=VALUE) to
// its end.
func (s *Stage) RunProgram(ctx context.Context, name string, settings ...string) (printed string, code int) {
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, name))
	cmd.Env, cmd.Dir = append(s.environ(nil), settings...), s.Dir
	return output(cmd)
}

func output(cmd *exec.Cmd) (printed string, code int) {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return out.String(), 0
	case errors.As(err, &exit):
		return out.String(), exit.ExitCode()
	}
	return err.Error(), -1
}

// Command is the operator's command, not started.
func (s *Stage) Command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, "ingest"), args...)
	cmd.Env = s.environ(nil)
	cmd.Dir = s.Dir
	return cmd
}

// environ is the stage's settings over a bare environment: of the
// machine's own only GODEBUG reaches the processes.
func (s *Stage) environ(extra map[string]string) []string {
	env := []string{"VIGUEUR_PROFILE=local", "PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "TMPDIR=" + s.Dir}
	if debug := os.Getenv("GODEBUG"); debug != "" {
		env = append(env, "GODEBUG="+debug) // cpu.avx512f=off makes this processor a lesser one
	}
	for _, set := range []map[string]string{s.env, extra} {
		for name, value := range set {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// Close kills every process, drops the database and removes the files.
func (s *Stage) Close() error {
	for _, p := range s.processes {
		p.Kill()
	}
	for _, c := range s.closers {
		c()
	}
	if s.Redis != nil {
		s.Redis.Stop()
	}
	var err error
	if s.database != "" {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		// A worker of autovacuum, which only the superuser may end, can hold it for a moment.
		for pause := time.NewTicker(200 * time.Millisecond); ; <-pause.C {
			err = s.execute(ctx, "DROP DATABASE IF EXISTS "+s.database+" WITH (FORCE)")
			if err == nil || ctx.Err() != nil {
				pause.Stop()
				break
			}
		}
	}
	return errors.Join(err, os.RemoveAll(s.Dir))
}

// Query reads one row of the stage's database, past every proxy.
func (s *Stage) Query(ctx context.Context, sql string, into ...any) error {
	conn, err := pgx.Connect(ctx, s.DatabaseURL())
	if err != nil {
		return err
	}
	err = conn.QueryRow(ctx, sql).Scan(into...)
	return errors.Join(err, conn.Close(ctx))
}

// AddUsers makes a number of accounts with the stage's password, at once, and
// gives their addresses.
func (s *Stage) AddUsers(ctx context.Context, n int) (emails []string, err error) {
	for i := range n {
		emails = append(emails, fmt.Sprintf("lecteur-%d@exemple.org", i+1))
	}
	return emails, s.Query(ctx, fmt.Sprintf(`WITH made AS (
			INSERT INTO users (id, email, full_name, role, active, password_hash)
			SELECT gen_random_uuid(), 'lecteur-' || i || '@exemple.org', full_name, role, active, password_hash
			FROM users, generate_series(1, %d) i WHERE email = '%s' RETURNING id)
		SELECT count(*) FROM made`, n, s.user), new(int))
}

// IngestSample takes the sample in, with a worker that then ends.
func (s *Stage) IngestSample(ctx context.Context) error {
	worker, err := s.Worker(ctx, nil)
	if err != nil {
		return err
	}
	defer worker.Stop()
	if out, code := s.Ingest(ctx, "", append([]string{"add"}, Sample()...)...); code != 0 {
		return fmt.Errorf("stage: ingest add: exit %d: %s", code, out)
	}
	return nil
}

// ComputeVectors has a worker compute the vectors of all passages and then end. Copies of
// this stage compute none, and answer alike from their start.
func (s *Stage) ComputeVectors(ctx context.Context) error {
	worker, err := s.Worker(ctx, nil)
	if err != nil {
		return err
	}
	defer worker.Stop()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		var whole bool
		if err := s.Query(ctx, `SELECT count(*) = 2 FROM generations WHERE role IN ('current', 'sentences')
			AND state = 'done' AND covered = (SELECT max(version) FROM catalogue_changes)`, &whole); err != nil || whole {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
