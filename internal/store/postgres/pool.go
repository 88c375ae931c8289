package postgres

import "time"

// Pool holds statistics of the connections of this process.
type Pool struct {
	Used, Idle, Most int
	Waits            int64         // number of times that a caller waited for a connection, since the process started
	Waited           time.Duration // total time that callers waited for connections, since the process started
}

// Pool returns the current statistics of the connections.
func (db *DB) Pool() Pool {
	s := db.pool.Stat()
	return Pool{Used: int(s.AcquiredConns()), Idle: int(s.IdleConns()), Most: int(s.MaxConns()), Waits: s.EmptyAcquireCount(), Waited: s.EmptyAcquireWaitTime()}
}
