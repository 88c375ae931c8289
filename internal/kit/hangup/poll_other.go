//go:build !linux

package hangup

import "net"

func poll(net.Conn) (gone <-chan struct{}, unwatch func()) { return nil, nil }
