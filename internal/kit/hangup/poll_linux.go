package hangup

import (
	"errors"
	"net"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// watched are the connections that the epoll instance fd watches. It exists while there are any, with one goroutine.
var watched struct {
	sync.Mutex
	fd    int
	wake  int                      // an eventfd, written when the last connection leaves
	conns map[uint64]chan struct{} // by a number of their own: the kernel gives descriptors again
	last  uint64
}

// hungUp are the events of a client that has closed its side (EPOLLRDHUP) or the connection.
const hungUp = unix.EPOLLRDHUP | unix.EPOLLHUP | unix.EPOLLERR

// poll watches the connection by epoll. gone is nil if it cannot, because the connection has no descriptor or the
// process no more of them.
func poll(conn net.Conn) (gone <-chan struct{}, unwatch func()) {
	for { // unwrap to the wrapped connection, as of tls.Conn
		inner, ok := conn.(interface{ NetConn() net.Conn })
		if !ok {
			break
		}
		conn = inner.NetConn()
	}
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return nil, nil
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return nil, nil
	}
	watched.Lock()
	defer watched.Unlock()
	if watched.conns == nil && start() != nil {
		return nil, nil
	}
	watched.last++
	number := watched.last
	event := unix.EpollEvent{Events: hungUp | unix.EPOLLONESHOT}
	setNumber(&event, number)
	added := control(raw, unix.EPOLL_CTL_ADD, &event)
	if added != nil && !errors.Is(added, net.ErrClosed) {
		stopIfEmpty()
		return nil, nil
	}
	left := make(chan struct{})
	if added != nil { // closed already
		close(left)
		stopIfEmpty()
		return left, func() {}
	}
	watched.conns[number] = left
	return left, func() {
		watched.Lock()
		defer watched.Unlock()
		if _, ok := watched.conns[number]; ok { // else the instance that watched it may have ended
			_ = control(raw, unix.EPOLL_CTL_DEL, &unix.EpollEvent{}) // the kernel forgets closed connections by itself
			delete(watched.conns, number)
		}
		stopIfEmpty()
	}
}

// control changes what the instance watches of a connection. The caller holds the lock.
func control(raw syscall.RawConn, change int, event *unix.EpollEvent) error {
	var err error
	if closed := raw.Control(func(fd uintptr) { err = unix.EpollCtl(watched.fd, change, int(fd), event) }); closed != nil {
		return closed
	}
	return err
}

// start opens the instance and has a goroutine wait on it. The caller holds the lock.
func start() error {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return err
	}
	wake, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err == nil {
		// Its number, 0, is no connection's.
		err = unix.EpollCtl(fd, unix.EPOLL_CTL_ADD, wake, &unix.EpollEvent{Events: unix.EPOLLIN})
		if err != nil {
			_ = unix.Close(wake)
		}
	}
	if err != nil {
		_ = unix.Close(fd)
		return err
	}
	watched.fd, watched.wake, watched.conns = fd, wake, map[uint64]chan struct{}{}
	go wait(fd, wake)
	return nil
}

// stopIfEmpty ends the instance if it watches nothing. The caller holds the lock.
func stopIfEmpty() {
	if watched.conns == nil || len(watched.conns) > 0 {
		return
	}
	watched.conns = nil
	_, _ = unix.Write(watched.wake, []byte{1, 0, 0, 0, 0, 0, 0, 0}) // an eventfd takes a number; it cannot be full
}

// wait tells who has hung up, until the instance ends.
func wait(fd, wake int) {
	defer unix.Close(fd)
	defer unix.Close(wake)
	events := make([]unix.EpollEvent, 64)
	for {
		n, err := unix.EpollWait(fd, events, -1)
		if err != nil && !errors.Is(err, unix.EINTR) {
			return // of an instance of one's own it does not fail otherwise
		}
		for i := range max(n, 0) {
			number := numberOf(&events[i])
			if number == 0 {
				return
			}
			watched.Lock()
			if left, ok := watched.conns[number]; ok {
				delete(watched.conns, number)
				close(left)
			}
			watched.Unlock()
		}
	}
}

// setNumber and numberOf use the 64 bits of an event that the kernel gives back, which the package unix names Fd and Pad.
func setNumber(e *unix.EpollEvent, number uint64) {
	e.Fd, e.Pad = int32(uint32(number)), int32(uint32(number>>32))
}

func numberOf(e *unix.EpollEvent) uint64 { return uint64(uint32(e.Fd)) | uint64(uint32(e.Pad))<<32 }
