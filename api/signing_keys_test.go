package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/ops/config"
	"vigueur/internal/web/auth"
)

// writeKeys writes a new Ed25519 key pair into two files.
func writeKeys(t *testing.T) (private, public string) {
	t.Helper()
	open, secret, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	pkix, err := x509.MarshalPKIXPublicKey(open)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, der []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("private.pem", "PRIVATE KEY", pkcs8), write("public.pem", "PUBLIC KEY", pkix)
}

func TestKeysOfAServerFollowItsSettings(t *testing.T) {
	t.Parallel()
	private, public := writeKeys(t)
	secret := strings.Repeat("s", 32)
	issue := func(cfg config.API) (auth.Tokens, string) {
		t.Helper()
		ring, err := readKeys(cfg)
		if err != nil {
			t.Fatal(err)
		}
		tokens := auth.Tokens{Issuer: issuer, Audience: audience, Keys: ring, Now: time.Now, Life: time.Hour}
		token, err := tokens.Issue(auth.Bearer{Email: "awa@example.org"})
		if err != nil {
			t.Fatal(err)
		}
		return tokens, token
	}
	before, old := issue(config.API{JWTAlgorithm: auth.HS256, JWTSecret: secret, OtherJWTFile: public})
	after, fresh := issue(config.API{JWTAlgorithm: auth.EdDSA, JWTKeyFile: private, OtherJWTSecret: secret})
	alone, _ := issue(config.API{JWTAlgorithm: auth.EdDSA, JWTKeyFile: private, JWTSecret: secret})
	for name, c := range map[string]struct {
		by    auth.Tokens
		token string
		good  bool
	}{
		"old before": {before, old, true}, "fresh before": {before, fresh, true}, "old after": {after, old, true}, "fresh after": {after, fresh, true},
		"old at the end": {alone, old, false}, "fresh at the end": {alone, fresh, true},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := c.by.Read(c.token); (err == nil) != c.good {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

func TestKeysThatCannotBeUsedAreNamed(t *testing.T) {
	t.Parallel()
	private, public := writeKeys(t)
	secret := strings.Repeat("s", 32)
	for name, c := range map[string]struct {
		cfg  config.API
		want string
	}{
		"no file":             {config.API{JWTAlgorithm: auth.EdDSA, JWTKeyFile: private + "x"}, "VIGUEUR_JWT_KEY_FILE : le fichier ne peut pas être lu"},
		"of another kind":     {config.API{JWTAlgorithm: auth.RS256, JWTKeyFile: private}, "VIGUEUR_JWT_KEY_FILE (" + private},
		"a public key signs":  {config.API{JWTAlgorithm: auth.EdDSA, JWTKeyFile: public}, "clé publique"},
		"no second file":      {config.API{JWTAlgorithm: auth.HS256, JWTSecret: secret, OtherJWTFile: "/nowhere"}, "VIGUEUR_JWT_PREVIOUS_KEY_FILE"},
		"second is no key":    {config.API{JWTAlgorithm: auth.HS256, JWTSecret: secret, OtherJWTFile: "keys_test.go"}, "VIGUEUR_JWT_PREVIOUS_KEY_FILE"},
		"second is too short": {config.API{JWTAlgorithm: auth.HS256, JWTSecret: secret, OtherJWTSecret: "court"}, "VIGUEUR_JWT_PREVIOUS_SECRET"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readKeys(c.cfg)
			if !errs.Is(err, errs.Invalid) || !strings.Contains(errs.Public(err), c.want) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}
