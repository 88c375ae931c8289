// Package redisurl parses the address of a Redis and opens clients for it. The forms are
//
//	redis://[user[:password]@]host[:port][/database]
//	redis+sentinel://[user[:password]@]host[:port],host[:port],…/master[/database]
//
// and the same with rediss for TLS. With Sentinel, the hosts are the sentinels, which know the
// address of the master, also after a failover. Optional parameters are
//
//	sentinel_user, sentinel_password   account of the sentinels, if they require one
//	ca_file                            authority of the server's certificate (PEM); default: the system's authorities
//	cert_file, key_file                the client's own certificate (PEM)
//	server_name                        the name in the server's certificate, if it differs from the host
//	patience                           timeout for a server that does not respond, such as 500ms or 5s
//
// The default timeout is two seconds. A client retries once only, so that the service soon
// notices that a Redis is down.
package redisurl

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"vigueur/internal/kit/errs"
)

// patience is the default timeout for a server that does not respond.
const patience = 2 * time.Second

// Address is the parsed address of a Redis.
type Address struct {
	hosts              []string // host:port of the server, or of each sentinel
	master             string   // "": without Sentinel
	database           int
	user, password     string
	sentinel           url.Userinfo
	secure             bool
	ca, cert, key      string // paths of PEM files
	serverName         string
	patience           time.Duration
	sentinelHasAccount bool
}

// parameters are the parameters that an address may have.
var parameters = []string{"sentinel_user", "sentinel_password", "ca_file", "cert_file", "key_file", "server_name", "patience"}

// Parse parses an address without reading files. Its error says in French what is wrong, and contains no part of the
// address, which may contain a password.
func Parse(s string) (Address, error) {
	a := Address{patience: patience}
	scheme, rest, _ := strings.Cut(s, "://")
	base, sentinel := strings.CutSuffix(scheme, "+sentinel")
	a.secure = base == "rediss"
	if base != "redis" && base != "rediss" {
		return a, invalid("une adresse redis://, rediss://, redis+sentinel:// ou rediss+sentinel:// est attendue")
	}
	// net/url rejects a list of hosts, so each host is parsed on its own.
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	at := strings.LastIndexByte(rest[:end], '@') + 1
	hosts := strings.Split(rest[at:end], ",")
	u, err := url.Parse("redis://" + rest[:at] + hosts[0] + rest[end:])
	if err != nil {
		return a, invalid("elle est illisible")
	}
	for _, h := range hosts {
		host, err := hostPort(h, sentinel)
		if err != nil {
			return a, err
		}
		a.hosts = append(a.hosts, host)
	}
	if len(a.hosts) > 1 && !sentinel {
		return a, invalid("plusieurs hôtes ne se nomment qu’avec Sentinel, redis+sentinel://")
	}
	a.user = u.User.Username()
	a.password, _ = u.User.Password()
	if err := a.path(u.Path, sentinel); err != nil {
		return a, err
	}
	err = a.query(u.RawQuery)
	return a, err
}

// ParseList parses addresses separated by blanks or line ends. The same server must not appear twice, because data
// that is distributed over two servers would then be on one.
func ParseList(s string) (list []Address, err error) {
	names := map[string]bool{}
	for _, part := range strings.Fields(s) {
		a, err := Parse(part)
		if err != nil {
			return nil, err
		}
		if names[a.Name()] {
			return nil, errs.New(errs.Invalid, "Un serveur Redis est nommé deux fois : "+a.Name())
		}
		names[a.Name()] = true
		list = append(list, a)
	}
	if len(list) == 0 {
		return nil, invalid("elle est vide")
	}
	return list, nil
}

// Name returns an identification of a Redis without its secrets: host:port/database, or with Sentinel
// master@host:port,…/database with sorted hosts.
func (a Address) Name() string {
	hosts := strings.Join(slices.Sorted(slices.Values(a.hosts)), ",")
	if a.master != "" {
		hosts = a.master + "@" + hosts
	}
	return hosts + "/" + strconv.Itoa(a.database)
}

func invalid(why string) error {
	return errs.New(errs.Invalid, "VIGUEUR_REDIS_URL n’est pas une adresse Redis valide : "+why)
}

// hostPort adds the default port to a host that has no port.
func hostPort(s string, sentinel bool) (string, error) {
	u, err := url.Parse("redis://" + s)
	if err != nil || u.Hostname() == "" || u.Host != s || strings.Contains(u.Hostname(), ":") != strings.HasPrefix(s, "[") {
		return "", invalid("un hôte est illisible")
	}
	port := u.Port()
	switch {
	case port != "":
	case sentinel:
		port = "26379"
	default:
		port = "6379"
	}
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
		return "", invalid("un port n’est pas entre 1 et 65535")
	}
	return net.JoinHostPort(u.Hostname(), port), nil
}

// path parses the database and, with Sentinel, the master's name before it.
func (a *Address) path(path string, sentinel bool) error {
	path = strings.Trim(path, "/")
	if sentinel {
		a.master, path, _ = strings.Cut(path, "/")
		if a.master == "" {
			return invalid("le nom du maître manque : redis+sentinel://hôte/maître")
		}
	}
	if path == "" {
		return nil
	}
	n, err := strconv.Atoi(path)
	if err != nil || n < 0 || strings.HasPrefix(path, "+") {
		return invalid("le numéro de la base n’est pas un nombre")
	}
	a.database = n
	return nil
}

func (a *Address) query(raw string) error {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return invalid("ses paramètres sont illisibles")
	}
	for name := range values {
		if !slices.Contains(parameters, name) {
			return invalid("elle a un paramètre inconnu ; les paramètres sont " + strings.Join(parameters, ", "))
		}
	}
	a.ca, a.cert, a.key = values.Get("ca_file"), values.Get("cert_file"), values.Get("key_file")
	a.serverName = values.Get("server_name")
	if values.Has("patience") {
		if a.patience, err = time.ParseDuration(values.Get("patience")); err != nil || a.patience < time.Millisecond || a.patience > time.Hour {
			return invalid("patience est une durée entre 1ms et 1h, par exemple 5s")
		}
	}
	if !a.secure && a.ca+a.cert+a.key+a.serverName != "" {
		return invalid("les certificats ne servent qu’avec rediss://")
	}
	if (a.cert == "") != (a.key == "") {
		return invalid("cert_file et key_file vont ensemble")
	}
	a.sentinelHasAccount = values.Has("sentinel_user") || values.Has("sentinel_password")
	if a.sentinelHasAccount && a.master == "" {
		return invalid("sentinel_user et sentinel_password ne servent qu’avec Sentinel, redis+sentinel://")
	}
	a.sentinel = *url.UserPassword(values.Get("sentinel_user"), values.Get("sentinel_password"))
	return nil
}

// Open parses the address s and returns a client, which connects when it is first used. Invalid if s is not an
// address, or if a certificate cannot be read.
func Open(s string) (redis.UniversalClient, error) {
	a, err := Parse(s)
	if err != nil {
		return nil, err
	}
	return a.Client()
}

// Client returns a client, which connects when it is first used.
func (a Address) Client() (redis.UniversalClient, error) {
	o := a.options()
	if a.secure {
		var err error
		if o.TLSConfig, err = a.tls(); err != nil {
			return nil, err
		}
	}
	return redis.NewUniversalClient(&o), nil
}

// options returns the options of a client, without those of TLS.
func (a Address) options() redis.UniversalOptions {
	o := redis.UniversalOptions{Addrs: a.hosts, MasterName: a.master, DB: a.database, Username: a.user, Password: a.password,
		MaxRetries: 1, DialTimeout: a.patience, ReadTimeout: a.patience, WriteTimeout: a.patience, ContextTimeoutEnabled: true}
	if a.sentinelHasAccount {
		o.SentinelUsername = a.sentinel.Username()
		o.SentinelPassword, _ = a.sentinel.Password()
	}
	return o
}

// tls reads the certificates. Without server_name, the server's certificate must match the dialed host.
func (a Address) tls() (*tls.Config, error) {
	c := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: a.serverName}
	if a.serverName == "" && a.master == "" {
		host, _, err := net.SplitHostPort(a.hosts[0])
		if err != nil {
			return nil, invalid("un hôte est illisible")
		}
		c.ServerName = host
	}
	if a.ca != "" {
		pem, err := os.ReadFile(a.ca)
		if err != nil {
			return nil, unreadable("ca_file", err)
		}
		if c.RootCAs = x509.NewCertPool(); !c.RootCAs.AppendCertsFromPEM(pem) {
			return nil, unreadable("ca_file", fmt.Errorf("no certificate in %s", a.ca))
		}
	}
	if a.cert != "" {
		pair, err := tls.LoadX509KeyPair(a.cert, a.key)
		if err != nil {
			return nil, unreadable("cert_file et key_file", err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}

func unreadable(what string, err error) error {
	return errs.Wrap(errs.Invalid, "VIGUEUR_REDIS_URL : "+what+" : le certificat ne peut pas être lu", err)
}
