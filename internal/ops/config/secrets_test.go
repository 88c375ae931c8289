package config

import (
	"strings"
	"testing"

	"vigueur/internal/kit/errs"
)

func TestMaskTakesEverySecretOut(t *testing.T) {
	t.Parallel()
	mask := Mask(map[string]string{
		"VIGUEUR_DATABASE_URL": "postgres://u:pa%24se-un@h/b", "VIGUEUR_REDIS_URL": "redis+sentinel://:passe-deux@a:1,b:2/m?sentinel_password=passe-trois",
		"VIGUEUR_BLOBS_KEY": "ident:passe-quatre", "VIGUEUR_JWT_SECRET": "passe-cinq", "VIGUEUR_SMTP_URL": "smtp://u:passe-six@h", "VIGUEUR_MODEL_KEY": "abc",
		"VIGUEUR_OIDC_CLIENT_SECRETS": "passe-sept,passe-huit",
		"VIGUEUR_LISTEN":              "127.0.0.1:80",
	})
	for _, secret := range []string{"pa$se-un", "pa%24se-un", "passe-deux", "passe-trois", "passe-quatre", "ident:passe-quatre", "passe-cinq", "passe-six", "passe-sept", "passe-huit"} {
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

func TestSecretsOfSeveralAddresses(t *testing.T) {
	t.Parallel()
	environ := good()
	environ["VIGUEUR_STREAMS_REDIS_URL"] = "redis://:premier-secret@a:6379/0 redis+sentinel://u:second-secret@b,c/chef"
	c, err := LoadWorker(environ)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range Settings(c) {
		if strings.Contains(s.Value, "-secret") {
			t.Errorf("%s is shown as %s", s.Env, s.Value)
		}
	}
	if got := Mask(environ)("dial: premier-secret, second-secret"); strings.Contains(got, "-secret") {
		t.Errorf("told: %s", got)
	}
	if c.Streams() != environ["VIGUEUR_STREAMS_REDIS_URL"] {
		t.Errorf("streams over %q", c.Streams())
	}
	environ["VIGUEUR_STREAMS_REDIS_URL"] = " "
	if c, err = LoadWorker(environ); err != nil || c.Streams() != c.RedisURL {
		t.Errorf("streams over %q, %v", c.Streams(), err)
	}
	for _, wrong := range []string{"redis://a redis://a:6379", "redis://:un-secret@a ftp://b"} {
		t.Run(wrong, func(t *testing.T) {
			environ["VIGUEUR_STREAMS_REDIS_URL"] = wrong
			if _, err = LoadAPI(environ); err == nil || !strings.Contains(errs.Public(err), "VIGUEUR_STREAMS_REDIS_URL") || strings.Contains(errs.Public(err), "-secret") {
				t.Errorf("%s: %v", wrong, err)
			}
		})
	}
}
