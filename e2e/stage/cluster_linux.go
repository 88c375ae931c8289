package stage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/testkit/port"
)

// Cluster is a PostgreSQL server of a test's own, to be restarted, starved and
// misled. Its data are in Dir/data, its log of changes is elsewhere, so that a
// disk may be full for the one alone.
type Cluster struct {
	Dir  string
	Env  []string // further environment of the server
	bin  string
	port int
	as   *syscall.Credential // whom the server runs as: it refuses root
	cmd  *exec.Cmd
}

// NewCluster makes a server in an empty folder, which it may give another owner,
// and does not start it. ErrAbsent when PostgreSQL's programs are not there.
func NewCluster(ctx context.Context, dir string) (*Cluster, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return nil, fmt.Errorf("%w: no initdb in /usr/lib/postgresql", ErrAbsent)
	}
	c := &Cluster{Dir: dir, bin: filepath.Dir(found[len(found)-1])}
	if err := c.own(); err != nil {
		return nil, err
	}
	initdb := c.command(ctx, "initdb", "-D", filepath.Join(dir, "data"), "-X", filepath.Join(dir, "wal"), "-U", "vigueur",
		"--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("stage: initdb: %w: %s", err, out)
	}
	return c, nil
}

// own prepares the folder for the account that the server runs as: when we are
// root, another's, who must be able to come there.
func (c *Cluster) own() error {
	if os.Geteuid() != 0 {
		return nil
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		return fmt.Errorf("%w: root cannot run PostgreSQL, and there is no account postgres", ErrAbsent)
	}
	uid, err := strconv.ParseUint(account.Uid, 10, 32)
	if err != nil {
		return err
	}
	gid, err := strconv.ParseUint(account.Gid, 10, 32)
	if err != nil {
		return err
	}
	c.as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	for parent := filepath.Dir(c.Dir); parent != os.TempDir() && parent != "/"; parent = filepath.Dir(parent) {
		if err := os.Chmod(parent, 0o711); err != nil {
			return err
		}
	}
	for _, dir := range []string{c.Dir, filepath.Join(c.Dir, "data"), filepath.Join(c.Dir, "wal")} {
		if err := errors.Join(os.MkdirAll(dir, 0o700), os.Chown(dir, int(uid), int(gid))); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cluster) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(c.bin, name), args...)
	dieWithParent(cmd)
	cmd.SysProcAttr.Credential, cmd.Dir = c.as, c.Dir
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8"}, c.Env...)
	return cmd
}

// Start starts the server, on the same port each time, and waits until it takes
// connections.
func (c *Cluster) Start(ctx context.Context) error {
	if c.port == 0 {
		var err error
		if c.port, err = port.Free(); err != nil {
			return err
		}
	}
	log, err := os.OpenFile(filepath.Join(c.Dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // the server holds its own
	c.cmd = c.command(context.WithoutCancel(ctx), "postgres", "-D", filepath.Join(c.Dir, "data"), "-p", strconv.Itoa(c.port),
		"-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "shared_buffers=32MB", "-c", "max_connections=60")
	c.cmd.Stdout, c.cmd.Stderr = log, log
	if err := c.cmd.Start(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	for pause := time.NewTicker(20 * time.Millisecond); ; <-pause.C {
		conn, err := pgx.Connect(ctx, c.URL())
		if err == nil {
			pause.Stop()
			return conn.Close(ctx)
		}
		if ctx.Err() != nil {
			pause.Stop()
			c.Stop()
			return fmt.Errorf("stage: the PostgreSQL of the test does not start: %w: see %s", err, log.Name())
		}
	}
}

// Stop ends the server as « pg_ctl stop -m immediate » does: it forgets what it
// was at, and recovers at its next start. It may be called twice.
func (c *Cluster) Stop() {
	if c.cmd == nil {
		return
	}
	_ = c.cmd.Process.Signal(syscall.SIGQUIT) // it may have ended
	_ = c.cmd.Wait()                          // how it ended is in its log
	c.cmd = nil
}

// Shell runs a script as the account of the server, with PostgreSQL's programs in the path, which find the server.
func (c *Cluster) Shell(ctx context.Context, script string) (string, error) {
	cmd := c.command(ctx, "sh", "-euc", script)
	cmd.Path, cmd.Args[0] = "/bin/sh", "sh"
	cmd.Env = append(cmd.Env, "PATH="+c.bin+":"+os.Getenv("PATH"), "PGHOST=127.0.0.1", "PGPORT="+strconv.Itoa(c.port), "PGUSER=vigueur")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// On is a server at the same address whose data are in another folder, which must be there; both cannot run at once.
func (c *Cluster) On(dir string) *Cluster {
	return &Cluster{Dir: dir, Env: c.Env, bin: c.bin, port: c.port, as: c.as}
}

// URL is its address, as its superuser.
func (c *Cluster) URL() string {
	return fmt.Sprintf("postgres://vigueur@127.0.0.1:%d/postgres?sslmode=disable", c.port)
}
