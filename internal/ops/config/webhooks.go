package config

import (
	"net"
	"strings"
)

// Webhooks are the settings of webhooks. Without them the service opens no connection to
// addresses that people enter.
type Webhooks struct {
	SendWebhooks bool     `env:"VIGUEUR_WEBHOOKS" envDefault:"false" help:"envoi des alertes aux adresses que les comptes donnent (webhooks) : true ou false"`
	WebhookHosts []string `env:"VIGUEUR_WEBHOOK_HOSTS" help:"hôtes privés, avec leur port, qui peuvent recevoir des webhooks : hooks.intern:8443,… ; vide : les adresses publiques seules"`
}

func (c Webhooks) webhookFaults(f *faults) {
	for _, host := range c.WebhookHosts {
		if name, port, err := net.SplitHostPort(host); err != nil || name == "" || port == "" || strings.ContainsAny(name, "/*") {
			f.add("VIGUEUR_WEBHOOK_HOSTS : « %s » n’est pas un hôte avec son port, comme hooks.intern:8443", host)
		}
	}
}
