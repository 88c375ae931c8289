package relay

// Pool is what the connections of a process's streams do.
type Pool struct {
	Used, Idle int
	Timeouts   int64 // times that work waited in vain for one, since the start
}

// Pool tells what the connections do now, to all Redis servers together.
func (r *Relay) Pool() (p Pool) {
	for _, h := range r.homes {
		s := h.redis.PoolStats()
		p.Used += int(s.TotalConns) - int(s.IdleConns)
		p.Idle += int(s.IdleConns)
		p.Timeouts += int64(s.Timeouts)
	}
	return p
}
