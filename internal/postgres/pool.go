package postgres

import "time"

// Pool is what the connections of a process do.
type Pool struct {
	Used, Idle, Most int
	Waits            int64         // times that work had to wait for one, since the start
	Waited           time.Duration // for connections, by all work since the start
}

// Pool tells what the connections do now.
func (db *DB) Pool() Pool {
	s := db.pool.Stat()
	return Pool{Used: int(s.AcquiredConns()), Idle: int(s.IdleConns()), Most: int(s.MaxConns()), Waits: s.EmptyAcquireCount(), Waited: s.EmptyAcquireWaitTime()}
}
