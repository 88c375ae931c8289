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
	if want := (Lives{time.Hour, 30 * 24 * time.Hour, 90 * 24 * time.Hour, 30 * time.Second, 5 * time.Minute, 10 * time.Minute}); api.Lives != want {
		t.Errorf("by default %+v, want %+v", api.Lives, want)
	}
	worker, err := LoadWorker(good())
	if err != nil {
		t.Fatal(err)
	}
	if want := (LinkLives{time.Hour, 24 * time.Hour}); worker.LinkLives != want || worker.KeepWhys != 90 {
		t.Errorf("by default %+v and %d days, want %+v and 90", worker.LinkLives, worker.KeepWhys, want)
	}
	for setting, fault := range map[string]string{
		"VIGUEUR_ACCESS_TOKEN_LIFE=59s":    "entre 1m0s et 24h0m0s",
		"VIGUEUR_ACCESS_TOKEN_LIFE=25h":    "entre 1m0s et 24h0m0s",
		"VIGUEUR_ACCESS_TOKEN_LIFE=1jour":  "valeur illisible",
		"VIGUEUR_REFRESH_TOKEN_LIFE=30m":   "moins que VIGUEUR_ACCESS_TOKEN_LIFE",
		"VIGUEUR_REFRESH_TOKEN_LIFE=3000h": "plus que VIGUEUR_SESSION_LIFE",
		"VIGUEUR_SESSION_LIFE=8761h":       "entre 1h0m0s et 8760h0m0s",
		"VIGUEUR_SESSION_LIFE=-1h":         "entre 1h0m0s et 8760h0m0s",
		"VIGUEUR_REFRESH_GRACE=-1s":        "entre 0s et 5m0s",
		"VIGUEUR_REFRESH_GRACE=6m":         "entre 0s et 5m0s",
		"VIGUEUR_REFRESH_GRACE=0":          "",
		"VIGUEUR_SIGN_IN_CODE_LIFE=0s":     "entre 1m0s et 1h0m0s",
		"VIGUEUR_OIDC_ATTEMPT_LIFE=2h":     "entre 1m0s et 1h0m0s",
		"VIGUEUR_RESET_LINK_LIFE=1m":       "entre 5m0s et 24h0m0s",
		"VIGUEUR_SIGNUP_LINK_LIFE=169h":    "entre 5m0s et 168h0m0s",
		"VIGUEUR_KEEP_WHYS_DAYS=-1":        "0 ou de 1 à 36500 jours",
		"VIGUEUR_KEEP_WHYS_DAYS=0":         "",
	} {
		t.Run(setting, func(t *testing.T) {
			name, value, _ := strings.Cut(setting, "=")
			environ := good()
			environ[name] = value
			_, err := LoadAPI(environ)
			if strings.Contains(name, "LINK") || strings.Contains(name, "WHYS") {
				_, err = LoadWorker(environ)
			}
			if said := errs.Public(err); fault == "" && err != nil || fault != "" && (!strings.Contains(said, name) || !strings.Contains(said, fault)) {
				t.Errorf("%s: %q, want %q", setting, said, fault)
			}
		})
	}
}
