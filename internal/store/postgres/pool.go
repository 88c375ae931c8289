package postgres

import "time"

// Pool is the statistics of a process's connections.
type Pool struct {
	Used, Idle, Most int
	Waits            int64         // how often a caller had to wait for a connection, since the start
	Waited           time.Duration // total time that callers waited for connections, since the start
}

// Pool returns the current statistics of the connections.
func (db *DB) Pool() Pool {
	s := db.pool.Stat()
	return Pool{Used: int(s.AcquiredConns()), Idle: int(s.IdleConns()), Most: int(s.MaxConns()), Waits: s.EmptyAcquireCount(), Waited: s.EmptyAcquireWaitTime()}
}
