package config

import (
	"strings"
	"testing"
	"time"

	"vigueur/internal/kit/errs"
)

func TestLivesAreBounded(t *testing.T) {
	t.Parallel()
	api, err := LoadAPI(good())
	if err != nil {
		t.Fatal(err)
	}
	if want := (Lives{time.Hour, 30 * 24 * time.Hour, 90 * 24 * time.Hour}); api.Lives != want {
		t.Errorf("by default %+v, want %+v", api.Lives, want)
	}
	for setting, fault := range map[string]string{
		"VIGUEUR_ACCESS_TOKEN_LIFE=59s":    "entre 1m0s et 24h0m0s",
		"VIGUEUR_ACCESS_TOKEN_LIFE=25h":    "entre 1m0s et 24h0m0s",
		"VIGUEUR_ACCESS_TOKEN_LIFE=1jour":  "valeur illisible",
		"VIGUEUR_REFRESH_TOKEN_LIFE=30m":   "moins que VIGUEUR_ACCESS_TOKEN_LIFE",
		"VIGUEUR_REFRESH_TOKEN_LIFE=3000h": "plus que VIGUEUR_SESSION_LIFE",
		"VIGUEUR_SESSION_LIFE=8761h":       "entre 1h0m0s et 8760h0m0s",
		"VIGUEUR_SESSION_LIFE=-1h":         "entre 1h0m0s et 8760h0m0s",
	} {
		t.Run(setting, func(t *testing.T) {
			name, value, _ := strings.Cut(setting, "=")
			environ := good()
			environ[name] = value
			_, err := LoadAPI(environ)
			if said := errs.Public(err); fault == "" && err != nil || fault != "" && (!strings.Contains(said, name) || !strings.Contains(said, fault)) {
				t.Errorf("%s: %q, want %q", setting, said, fault)
			}
		})
	}
}
