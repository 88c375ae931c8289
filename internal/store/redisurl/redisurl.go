// Package redisurl opens clients of the Redis that VIGUEUR_REDIS_URL names, in the form of
// go-redis: redis://[user[:password]@]host[:port][/database], and rediss:// for TLS with the
// authorities of the system. A parameter such as ?read_timeout=5s changes an option of the client.
//
// A client waits two seconds for a server and retries once only, so that the service soon
// notices that a Redis is down.
package redisurl

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"vigueur/internal/kit/errs"
)

// patience is the default timeout for a server that does not respond.
const patience = 2 * time.Second

// Parse returns the options of a client. Its error contains no part of the address, which may
// contain a password.
func Parse(address string) (*redis.Options, error) {
	o, err := redis.ParseURL(address)
	if err != nil || o.Network != "tcp" {
		return nil, errs.New(errs.Invalid, "VIGUEUR_REDIS_URL n’est pas une adresse Redis valide : redis://utilisateur:mot_de_passe@hôte:port/base ou rediss://… est attendu")
	}
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout = cmp.Or(o.DialTimeout, patience), cmp.Or(o.ReadTimeout, patience), cmp.Or(o.WriteTimeout, patience)
	o.MaxRetries, o.ContextTimeoutEnabled = cmp.Or(o.MaxRetries, 1), true
	return o, nil
}

// Open parses an address and returns a client, which connects when it is first used.
func Open(address string) (*redis.Client, error) {
	o, err := Parse(address)
	if err != nil {
		return nil, err
	}
	return redis.NewClient(o), nil
}

// refusals maps the beginning of a reply with which a running server refuses a client to the
// French explanation.
var refusals = []struct{ reply, text string }{
	{"WRONGPASS", "refuse le mot de passe, ou le compte, de VIGUEUR_REDIS_URL : corrigez-le"},
	{"NOAUTH", "demande un mot de passe : mettez-le dans VIGUEUR_REDIS_URL (redis://:MOT_DE_PASSE@hôte:port/0)"},
	{"NOPERM", "ne donne pas au compte de VIGUEUR_REDIS_URL le droit à une commande : donnez-le-lui (ACL SETUSER)"},
}

// Away returns the Unavailable error for an operator that Redis does not respond or refuses
// the client. It returns nil if err is nil.
func Away(err error) error {
	var said redis.Error
	if errors.As(err, &said) {
		for _, r := range refusals {
			if strings.HasPrefix(said.Error(), r.reply) {
				return errs.Wrap(errs.Unavailable, "Redis tourne, mais "+r.text+". Réponse du serveur : "+said.Error(), err)
			}
		}
	}
	return errs.Away("Redis", "", "VIGUEUR_REDIS_URL", err)
}

// Examined is the state of a Redis server for an operator. A field that the server does not
// report has its zero value.
type Examined struct {
	Version string   // « 7.0.15 »
	Policy  string   // maxmemory-policy
	Broken  []string // persistence failures that the server reports
	Write   error    // nil if a stream and a message could be written and deleted
}

// Examine inspects the Redis server at the address s. It writes a small stream under a
// separate key and deletes it; in any case the stream expires after a minute. Examine fails
// if it cannot connect.
func Examine(ctx context.Context, s string) (e Examined, err error) {
	client, err := Open(s)
	if err != nil {
		return e, err
	}
	defer func() { _ = client.Close() }() // an error means nothing here
	if err := client.Ping(ctx).Err(); err != nil {
		return e, errs.Wrap(errs.Unavailable, "", err)
	}
	if info, err := client.Info(ctx).Result(); err == nil {
		for line := range strings.Lines(info) {
			switch name, value, _ := strings.Cut(strings.TrimSpace(line), ":"); name {
			case "redis_version":
				e.Version = value
			case "maxmemory_policy":
				e.Policy = value
			case "rdb_last_bgsave_status", "aof_last_write_status", "aof_last_bgrewrite_status":
				if value != "ok" {
					e.Broken = append(e.Broken, name)
				}
			}
		}
	}
	e.Write = tryWrites(ctx, client)
	return e, nil
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
