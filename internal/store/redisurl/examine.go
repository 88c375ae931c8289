package redisurl

import (
	"context"
	"crypto/tls"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"vigueur/internal/kit/errs"
)

// Examined is the state of a Redis server for an operator. A field that the server does not
// report has its zero value.
type Examined struct {
	Version    string // « 7.0.15 »
	Replica    bool   // the server is read-only
	Policy     string // maxmemory-policy
	Used, Most int64  // memory in bytes; Most is 0 without a limit
	AppendOnly bool
	Broken     []string // persistence failures that the server reports
	// Ahead is how far the server's clock is ahead of this machine's, with a possible error of
	// half of Trip, the time of a round trip.
	Ahead, Trip time.Duration
	Secure      bool
	Expiry      time.Time // end of the server's certificate; zero without TLS
	Write       error     // nil if a stream and a message could be written and deleted
}

// Examine inspects the Redis server at the address s. It writes a small stream under a
// separate key and deletes it; in any case the stream expires after a minute. Examine fails
// if it cannot connect.
func Examine(ctx context.Context, s string) (e Examined, err error) {
	o, err := Parse(s)
	if err != nil {
		return e, err
	}
	client := redis.NewClient(o)
	defer func() { _ = client.Close() }() // an error means nothing here
	if err := e.clock(ctx, client); err != nil {
		return e, errs.Wrap(errs.Unavailable, "", err)
	}
	info, err := client.Info(ctx).Result()
	if err == nil {
		e.read(info)
	}
	e.Write = tryWrites(ctx, client)
	if o.TLSConfig != nil {
		e.Secure, e.Expiry = true, expiry(ctx, o)
	}
	return e, nil
}

// clock compares the server's clock with this machine's. It measures three times and keeps
// the measurement with the shortest round trip.
func (e *Examined) clock(ctx context.Context, client *redis.Client) error {
	for i := range 3 {
		before := time.Now()
		there, err := client.Time(ctx).Result()
		if err != nil {
			return err
		}
		trip := time.Since(before)
		if i == 0 || trip < e.Trip {
			e.Trip, e.Ahead = trip, there.Sub(before.Add(trip/2))
		}
	}
	return nil
}

// read parses the reply of INFO.
func (e *Examined) read(info string) {
	said := map[string]string{}
	for line := range strings.Lines(info) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			said[name] = value
		}
	}
	number := func(name string) int64 {
		n, err := strconv.ParseInt(said[name], 10, 64)
		if err != nil {
			return 0
		}
		return n
	}
	e.Version, e.Policy, e.Replica = said["redis_version"], said["maxmemory_policy"], said["role"] == "slave"
	e.Used, e.Most, e.AppendOnly = number("used_memory"), number("maxmemory"), said["aof_enabled"] == "1"
	for _, name := range []string{"rdb_last_bgsave_status", "aof_last_write_status", "aof_last_bgrewrite_status"} {
		if v := said[name]; v != "" && v != "ok" {
			e.Broken = append(e.Broken, name)
		}
	}
}

// tryWrites executes once the commands that the service uses all the time.
func tryWrites(ctx context.Context, client *redis.Client) error {
	const key = "vigueur:{doctor}:log"
	_, err := client.TxPipelined(ctx, func(p redis.Pipeliner) error {
		p.XAdd(ctx, &redis.XAddArgs{Stream: key, MaxLen: 1, Values: map[string]any{"e": "x"}})
		p.Expire(ctx, key, time.Minute)
		p.Publish(ctx, "vigueur:{doctor}:live", "")
		p.Del(ctx, key)
		return nil
	})
	return err
}

// expiry returns the end of the server's certificate; zero if unknown.
func expiry(ctx context.Context, o *redis.Options) time.Time {
	conn, err := (&tls.Dialer{Config: o.TLSConfig}).DialContext(ctx, "tcp", o.Addr)
	if err != nil {
		return time.Time{}
	}
	defer conn.Close()
	if secure, ok := conn.(*tls.Conn); ok && len(secure.ConnectionState().PeerCertificates) > 0 {
		return secure.ConnectionState().PeerCertificates[0].NotAfter
	}
	return time.Time{}
}
