package config

import (
	"strings"
	"testing"
)

func TestMaskTakesEverySecretOut(t *testing.T) {
	t.Parallel()
	mask := Mask(map[string]string{
		"VIGUEUR_DATABASE_URL": "postgres://u:pa%24se-un@h/b", "VIGUEUR_REDIS_URL": "redis://:passe-deux@a:1/2",
		"VIGUEUR_BLOBS_KEY": "ident:passe-quatre", "VIGUEUR_JWT_SECRET": "passe-cinq", "VIGUEUR_SMTP_URL": "smtp://u:passe-six@h", "VIGUEUR_MODEL_KEY": "abc",
		"VIGUEUR_OIDC_CLIENT_SECRETS": "passe-sept,passe-huit",
		"VIGUEUR_LISTEN":              "127.0.0.1:80",
	})
	for _, secret := range []string{"pa$se-un", "pa%24se-un", "passe-deux", "passe-quatre", "ident:passe-quatre", "passe-cinq", "passe-six", "passe-sept", "passe-huit"} {
		t.Run(secret, func(t *testing.T) {
			if got := mask("avant " + secret + " après"); got != "avant (masqué) après" {
				t.Errorf("%s: %q", secret, got)
			}
		})
	}
	if got := mask("abcès à 127.0.0.1:80"); strings.Contains(got, "masqué") {
		t.Errorf("what is no secret, or too short to be one, is taken out: %q", got)
	}
}
