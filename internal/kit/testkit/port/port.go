// Package port gives tests loopback ports that no other test gets while they run. A port that the kernel chooses is
// free for others as soon as it is closed: another test's server may take it before the test's own server starts, or
// while that server is stopped.
package port

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"runtime"
)

// The range of ports. It is below the ports that the kernel chooses for outgoing connections (from 32768), and is
// also the range from which the scripts choose ports.
const (
	first = 20000
	count = 12000
)

// tries is the number of random ports that Free tries before it gives up.
const tries = 1000

// Free returns a port on which nothing listens. The port belongs to this process until the process ends: no other
// call of Free, in any process of the machine, returns it.
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

// hold reserves a port for this process, and returns a function that ends the reservation. The reservation is a
// socket in Linux's abstract namespace, which disappears when the process ends, for whatever reason. On other systems
// nothing is reserved.
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

// isFree reports whether a server could listen on the port now.
func isFree(n int) bool {
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", n))
	return err == nil && l.Close() == nil
}
