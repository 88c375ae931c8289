// Package port gives tests ports of the loopback interface that no other test takes while they run. A port that
// the kernel chooses may go to anybody as soon as it is closed: to another test's server before one's own has started, or
// while it is stopped.
package port

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"runtime"
)

// The ports are below those that the kernel chooses for outgoing connections (from 32768), and are those of which the
// scripts choose, too.
const (
	first = 20000
	count = 12000
)

// tries is how many ports are looked at before all are taken for used up.
const tries = 1000

// Free returns a port on which nothing listens. It belongs to this process until that ends: no other call of Free, in any
// process of the machine, returns it.
func Free() (int, error) {
	for range tries {
		n := first + rand.IntN(count)
		held, err := hold(n)
		if err != nil {
			continue
		}
		if isFree(n) {
			return n, nil
		}
		if err := held(); err != nil {
			return 0, err
		}
	}
	return 0, errors.New("port: none is free")
}

// Address returns 127.0.0.1 with a port from Free.
func Address() (string, error) {
	n, err := Free()
	return fmt.Sprintf("127.0.0.1:%d", n), err
}

// hold takes the name of a port for this process, and returns how to give it back. The name is a socket in Linux's abstract
// namespace, which ends with the process, however that ends. Elsewhere nothing is held.
func hold(n int) (giveBack func() error, err error) {
	if runtime.GOOS != "linux" {
		return func() error { return nil }, nil
	}
	l, err := net.Listen("unix", fmt.Sprintf("@vigueur-test-port-%d", n))
	if err != nil {
		return nil, err
	}
	return l.Close, nil
}

// isFree reports whether a server could listen on the port.
func isFree(n int) bool {
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", n))
	return err == nil && l.Close() == nil
}
