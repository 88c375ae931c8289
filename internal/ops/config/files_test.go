package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vigueur/internal/kit/errs"
)

func TestSecretsMayStandInFiles(t *testing.T) {
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "jwt")
	if err := os.WriteFile(secret, []byte(strings.Repeat("tresor", 6)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	environ := good()
	delete(environ, "VIGUEUR_JWT_SECRET")
	environ["VIGUEUR_JWT_SECRET_FILE"] = secret
	c, err := LoadAPI(environ)
	if err != nil || c.JWTSecret != strings.Repeat("tresor", 6) {
		t.Fatalf("read %q, %v", c.JWTSecret, err)
	}
	if got := Mask(environ)("a " + strings.Repeat("tresor", 6)); strings.Contains(got, "tresor") {
		t.Errorf("what stands in a file is told: %s", got)
	}
	for what, change := range map[string]func(){
		"le fichier n’existe pas": func() { environ["VIGUEUR_JWT_SECRET_FILE"] = secret + ".absent" },
		"un seul des deux":        func() { environ["VIGUEUR_JWT_SECRET"] = strings.Repeat("autre-", 6) },
	} {
		t.Run(what, func(t *testing.T) {
			environ["VIGUEUR_JWT_SECRET_FILE"] = secret
			delete(environ, "VIGUEUR_JWT_SECRET")
			change()
			_, err := LoadAPI(environ)
			if err == nil || !strings.Contains(errs.Public(err), "VIGUEUR_JWT_SECRET_FILE : "+what) || strings.Contains(errs.Public(err), "tresor") {
				t.Errorf("want « %s », got %v", what, err)
			}
		})
	}
	// Only secrets are read from files.
	environ = good()
	environ["VIGUEUR_LISTEN_FILE"] = secret
	if c, err := LoadAPI(environ); err != nil || c.Listen != "127.0.0.1:8080" {
		t.Errorf("listens on %q, %v", c.Listen, err)
	}
}
