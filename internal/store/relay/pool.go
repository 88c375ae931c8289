package relay

// Pool holds statistics of this process's Redis connections for streams.
type Pool struct {
	Used, Idle int
	Timeouts   int64 // number of timed-out waits for a connection, since the process started
}

// Pool returns the sums over all Redis servers.
func (r *Relay) Pool() (p Pool) {
	for _, h := range r.servers {
		s := h.redis.PoolStats()
		p.Used += int(s.TotalConns) - int(s.IdleConns)
		p.Idle += int(s.IdleConns)
		p.Timeouts += int64(s.Timeouts)
	}
	return p
}
