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

func TestKeysThatCannotBeUsedAreNamed(t *testing.T) {
	t.Parallel()
	private, public := writeKeys(t)
	for name, c := range map[string]struct {
		cfg  config.API
		want string
	}{
		"no file":            {config.API{JWTAlgorithm: auth.EdDSA, JWTKeyFile: private + "x"}, "VIGUEUR_JWT_KEY_FILE : le fichier ne peut pas être lu"},
		"of another kind":    {config.API{JWTAlgorithm: auth.RS256, JWTKeyFile: private}, "VIGUEUR_JWT_KEY_FILE (" + private},
		"a public key signs": {config.API{JWTAlgorithm: auth.EdDSA, JWTKeyFile: public}, "clé publique"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readKeys(c.cfg)
			if !errs.Is(err, errs.Invalid) || !strings.Contains(errs.Public(err), c.want) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}
