package redistest

import (
	"fmt"
	"strings"
	"testing"

	"vigueur/internal/store/redisurl"
)

// Holds lists the keys of a Redis database whose name or value contains a text. It reads
// values of every type, streams included, and ignores case.
func Holds(t testing.TB, url, text string) (keys []string) {
	t.Helper()
	client, err := redisurl.Open(url)
	check(t, err)
	defer client.Close()
	ctx := t.Context()
	for all := client.Scan(ctx, 0, "*", 1000).Iterator(); all.Next(ctx); {
		key := all.Val()
		kind, err := client.Type(ctx, key).Result()
		check(t, err)
		var held any
		switch kind {
		case "string":
			held, err = client.Get(ctx, key).Result()
		case "hash":
			held, err = client.HGetAll(ctx, key).Result()
		case "list":
			held, err = client.LRange(ctx, key, 0, -1).Result()
		case "set":
			held, err = client.SMembers(ctx, key).Result()
		case "zset":
			held, err = client.ZRange(ctx, key, 0, -1).Result()
		case "stream":
			held, err = client.XRange(ctx, key, "-", "+").Result()
		case "none": // it expired meanwhile
			continue
		default:
			t.Fatalf("%s is a %s", key, kind)
		}
		if err != nil && !strings.Contains(err.Error(), "nil") { // the key may also expire between the two commands
			check(t, err)
		}
		if strings.Contains(strings.ToLower(key+fmt.Sprint(held)), strings.ToLower(text)) {
			keys = append(keys, key)
		}
	}
	return keys
}
