package redistest

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Pair is a master and its replica, which one Sentinel watches.
type Pair struct {
	Master, Replica *Server
	sentinel        *Server
}

// NewPair starts a master, a replica and a Sentinel. Within some seconds after the master
// stops, the Sentinel promotes the replica.
func NewPair(t testing.TB) *Pair {
	t.Helper()
	p := &Pair{Master: New(t)}
	p.Replica = begin(t, &Server{dir: t.TempDir(), flags: func(port int) []string {
		return append(plain(port), "--replicaof", "127.0.0.1 "+strconv.Itoa(p.Master.port))
	}})
	dir := t.TempDir()
	file := filepath.Join(dir, "sentinel.conf") // Sentinel writes into it
	check(t, os.WriteFile(file, fmt.Appendf(nil, "sentinel monitor chef 127.0.0.1 %d 1\nsentinel down-after-milliseconds chef 2000\n"+
		"sentinel failover-timeout chef 3000\n", p.Master.port), 0o600))
	p.sentinel = begin(t, &Server{dir: dir, flags: func(port int) []string {
		return []string{file, "--sentinel", "--port", strconv.Itoa(port)}
	}})
	p.await(t)
	return p
}

// URL returns the address of the Sentinel, through which clients find the master.
func (p *Pair) URL() string {
	return fmt.Sprintf("redis+sentinel://127.0.0.1:%d/chef/0?"+longWait, p.sentinel.port)
}

// await waits until the Sentinel knows the replica and the replica has the master's data:
// the Sentinel cannot promote the replica earlier.
func (p *Pair) await(t testing.TB) {
	t.Helper()
	for range 20_000 {
		replicas, err := p.sentinel.command(t.Context(), "sentinel", "replicas", "chef").Output()
		check(t, err)
		role, err := p.Replica.command(t.Context(), "role").Output()
		check(t, err)
		if len(replicas) > 1 && strings.Contains(string(role), "\nconnected\n") {
			return
		}
	}
	t.Fatal("redistest: the replica does not get the master's data")
}
