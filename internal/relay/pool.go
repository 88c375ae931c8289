package relay

// Pool is what the connections of a process's streams do.
type Pool struct {
	Used, Idle int
	Timeouts   int64 // times that work waited in vain for one, since the start
}

// Pool tells what the connections do now.
func (r *Relay) Pool() Pool {
	s := r.redis.PoolStats()
	return Pool{Used: int(s.TotalConns) - int(s.IdleConns), Idle: int(s.IdleConns), Timeouts: int64(s.Timeouts)}
}
