package doctor

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"

	"vigueur/internal/ops/config"
	"vigueur/internal/web/auth"
)

// checkSettings checks each setting, and whether the settings match each other.
func (p *target) checkSettings(_ context.Context, n *notes) {
	told := map[string]bool{}
	previous := len(n.found)
	for _, program := range []struct {
		name string
		here bool
		err  error
	}{{"ingest", true, p.ingestErr}, {"api", p.apiHere, p.apiErr}, {"worker", p.workerHere, p.workerErr}} {
		switch {
		case !program.here:
			n.addUnseen("les réglages de « " + program.name + " » ne sont pas dans cet environnement : lancez la commande aussi avec les siens")
		case program.err != nil:
			for _, line := range faultsOf(program.err) {
				if !told[line] {
					told[line] = true
					n.fail(line, "Corrigez ce réglage ; « ingest config » les montre tous.")
				}
			}
		}
	}
	p.checkUnknownSettings(n)
	p.checkMetrics(n)
	if p.apiHere && p.apiErr == nil {
		p.checkAPISettings(n)
	}
	if p.workerHere && p.apiHere && p.workerErr == nil && p.apiErr == nil && !slices.Equal(p.api.Names, p.worker.Names) {
		n.fail("VIGUEUR_MODELS diffère entre api et worker", "Donnez les mêmes modèles aux deux.")
	}
	if !slices.ContainsFunc(n.found[previous:], func(f Finding) bool { return f.State == Fail || f.State == Warn }) {
		n.ok("chaque réglage est lisible et aucun n’en contredit un autre")
	}
}

// checkUnknownSettings reports variables that no program reads. Without this check, a typing error in a name would go
// unnoticed.
func (p *target) checkUnknownSettings(n *notes) {
	known := map[string]bool{}
	for _, c := range []any{config.API{}, config.Worker{}, config.Ingest{}} {
		for _, s := range config.Settings(c) {
			known[s.Env] = true
			known[s.Env+"_FILE"] = known[s.Env+"_FILE"] || s.Secret
		}
	}
	var strange []string
	for name := range p.environ {
		if strings.HasPrefix(name, "VIGUEUR_") && !known[name] && !strings.HasPrefix(name, "VIGUEUR_TEST_") && !slices.Contains(besides, name) {
			strange = append(strange, name)
		}
	}
	slices.Sort(strange)
	if len(strange) > 0 {
		n.warn("aucun programme ne lit "+strings.Join(strange, ", "), "Vérifiez l’orthographe : « ingest config » nomme tous les réglages.")
	}
}

// besides are the variables that only the compose file, the scripts, the tests and the choice of a profile read.
var besides = []string{"VIGUEUR_PUBLISH", "VIGUEUR_GAZETTES", "VIGUEUR_BIN", "VIGUEUR_PROFILE"}

// checkAPISettings checks whether the settings of the API match each other.
func (p *target) checkAPISettings(n *notes) {
	c := p.api
	if c.JWTSecret != "" && c.JWTSecret == c.AddressSecret {
		n.warn("VIGUEUR_JWT_SECRET et VIGUEUR_ADDRESS_SECRET sont le même secret", "Donnez-leur deux valeurs : openssl rand -hex 32.")
	}
	base, err := url.Parse(c.BaseURL)
	if err == nil && base.Scheme == "http" && !ownMachine(base.Hostname()) {
		n.warn("VIGUEUR_BASE_URL est en http : les mots de passe et les sessions passent en clair", "Placez un mandataire TLS devant l’API et mettez https dans VIGUEUR_BASE_URL.")
	}
	for _, network := range c.TrustedProxies {
		if prefix, err := netip.ParsePrefix(network); err == nil && prefix.Bits() == 0 {
			n.fail("VIGUEUR_TRUSTED_PROXIES croit tout le monde ("+network+") : chacun peut forger son adresse", "Ne nommez que les réseaux de vos mandataires.")
		}
	}
	if err == nil && base.Scheme == "https" && len(c.TrustedProxies) == 0 {
		n.warn("VIGUEUR_BASE_URL est en https et aucun mandataire n’est de confiance : tous les clients partagent l’adresse du mandataire dans les limites",
			"Nommez le réseau du mandataire dans VIGUEUR_TRUSTED_PROXIES (127.0.0.0/8,::1/128 s’il est sur cette machine).")
	}
	p.checkSigning(n)
}

// checkMetrics reports metrics that anyone on the Internet could read. Both programs have the same setting, so it is
// checked once.
func (p *target) checkMetrics(n *notes) {
	address := ""
	switch {
	case p.apiHere && p.apiErr == nil:
		address = p.api.Metrics
	case p.workerHere && p.workerErr == nil:
		address = p.worker.Metrics
	}
	if host, _, err := net.SplitHostPort(address); err == nil && publicAddress(host) {
		n.warn("VIGUEUR_METRICS_LISTEN écoute sur une adresse publique", "Choisissez une adresse privée : chacun peut y lire les mesures.")
	}
}

// checkSigning reads the signing keys as the API does.
func (p *target) checkSigning(n *notes) {
	for _, key := range []struct{ name, algorithm, path string }{
		{"VIGUEUR_JWT_KEY_FILE", p.api.JWTAlgorithm, p.api.JWTKeyFile},
	} {
		if key.path == "" {
			continue
		}
		content, err := os.ReadFile(key.path)
		if err != nil {
			n.fail(fmt.Sprintf("%s : %s ne peut pas être lu : %s", key.name, key.path, cause(err)), "Donnez au compte du service le droit de le lire.")
			continue
		}
		if _, err := auth.PEM(key.algorithm, content); err != nil {
			n.fail(fmt.Sprintf("%s : %s n’est pas une clé attendue", key.name, key.path), "openssl genpkey -algorithm ed25519 -out jwt.pem en fait une.")
		}
		if info, err := os.Stat(key.path); err == nil && info.Mode().Perm()&0o077 != 0 {
			n.warn(fmt.Sprintf("%s : d’autres comptes peuvent lire %s", key.name, key.path), "chmod 600 "+key.path)
		}
	}
}

func ownMachine(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// publicAddress reports whether an address to listen on is an Internet address. A wildcard address is not reported: a
// firewall may protect it.
func publicAddress(host string) bool {
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsGlobalUnicast() && !ip.IsPrivate()
}
