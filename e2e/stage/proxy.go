package stage

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"

	"vigueur/internal/kit/testkit/port"
)

// Proxy stands between the processes and a store, and does to the connections
// what networks do.
type Proxy struct {
	proxy *toxiproxy.Proxy
}

// Between puts a proxy before a store, VIGUEUR_DATABASE_URL or VIGUEUR_REDIS_URL,
// for every process that starts from now on.
func (s *Stage) Between(setting string) (*Proxy, error) {
	u, err := url.Parse(s.env[setting])
	if err != nil {
		return nil, err
	}
	address, err := port.Address() // the same one after a Cut
	if err != nil {
		return nil, err
	}
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	p := &Proxy{proxy: toxiproxy.NewProxy(server, setting, address, u.Host)}
	if err := p.proxy.Start(); err != nil {
		return nil, err
	}
	u.Host = p.proxy.Listen
	s.Set(setting, u.String())
	s.closers = append(s.closers, p.proxy.Stop)
	return p, nil
}

// Cut ends every connection and refuses new ones, as a restart does, until Mend.
func (p *Proxy) Cut() { p.proxy.Stop() }

// Restore takes connections again, on the same address, and undoes Hang and Slow.
func (p *Proxy) Restore(ctx context.Context) error {
	p.proxy.Toxics.ResetToxics(ctx)
	if p.proxy.Enabled {
		return nil
	}
	return p.proxy.Start()
}

// Hang lets connections stand and nothing through, as a cut cable does.
func (p *Proxy) Hang() error { return p.toxic("timeout", "timeout", 0) }

// Slow delays what goes through by a number of milliseconds.
func (p *Proxy) Slow(ms int) error { return p.toxic("latency", "latency", ms) }

func (p *Proxy) toxic(kind, attribute string, value int) error {
	for _, direction := range []string{"upstream", "downstream"} {
		_, err := p.proxy.Toxics.AddToxicJson(strings.NewReader(fmt.Sprintf(
			`{"name":%q,"type":%q,"stream":%q,"attributes":{%q:%d}}`, kind+direction, kind, direction, attribute, value)))
		if err != nil {
			return err
		}
	}
	return nil
}
