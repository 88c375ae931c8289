package config

import (
	"net/url"
	"reflect"
	"slices"
	"strings"
)

// shortest is the minimum length of a secret that Mask removes. A shorter one would also
// occur inside words, and protects nothing.
const shortest = 4

// Mask returns a function that removes the secrets of all programs in environ from a text,
// for texts that others wrote, such as a server's error message.
func Mask(environ map[string]string) func(text string) string {
	found := map[string]bool{}
	for _, c := range []any{API{}, Worker{}, Ingest{}} {
		complete, _ := withFiles(reflect.TypeOf(c), environ) // load reports these errors
		collectSecrets(reflect.TypeOf(c), complete, found)
	}
	var pairs []string
	all := make([]string, 0, len(found))
	for secret := range found {
		if len(secret) >= shortest {
			all = append(all, secret)
		}
	}
	// Longest first, because one secret may contain another.
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	for _, secret := range all {
		pairs = append(pairs, secret, "(masqué)")
	}
	return strings.NewReplacer(pairs...).Replace
}

func collectSecrets(t reflect.Type, environ map[string]string, into map[string]bool) {
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous {
			collectSecrets(field.Type, environ, into)
			continue
		}
		value := environ[field.Tag.Get("env")]
		switch field.Tag.Get("secret") {
		case "all":
			into[value] = true
			for part := range strings.SplitSeq(value, ",") { // a list for several servers
				into[part] = true
				if _, right, ok := strings.Cut(part, ":"); ok { // id:secret
					into[right] = true
				}
			}
		case "url":
			collectURL(value, into)
		}
	}
}

// collectURL collects the secrets of an address: its password, encoded and decoded, and
// parameters that are passwords.
func collectURL(value string, into map[string]bool) {
	if _, rest, ok := strings.Cut(value, "://"); ok { // net/url does not parse lists of hosts
		if pos := strings.LastIndexByte(rest, '@'); pos >= 0 {
			if _, raw, ok := strings.Cut(rest[:pos], ":"); ok {
				into[raw] = true
				if plain, err := url.PathUnescape(raw); err == nil {
					into[plain] = true
				}
			}
		}
	}
	u, err := url.Parse(value)
	if err != nil {
		return
	}
	if password, ok := u.User.Password(); ok {
		into[password], into[url.QueryEscape(password)] = true, true
	}
	for name, values := range u.Query() {
		if strings.Contains(name, "password") {
			for _, v := range values {
				into[v] = true
			}
		}
	}
}
