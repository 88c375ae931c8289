package main

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"vigueur/internal/ops/config"
)

func TestModelServersAreReportedAndNeverRequired(t *testing.T) {
	t.Parallel()
	up := httptest.NewServer(http.NotFoundHandler())
	defer up.Close()
	down := httptest.NewServer(http.NotFoundHandler())
	down.Close()
	var cfg config.API
	if got := modelChecks(cfg); len(got) != 0 {
		t.Errorf("%d checks of nothing", len(got))
	}
	cfg.ModelURL, cfg.EmbedderURL = []string{up.URL + "/v1", up.URL}, down.URL+"/v1"
	got := modelChecks(cfg)
	if len(got) != 3 || got[0].Name != "model" || got[1].Name != "model-2" || got[2].Name != "embedder" {
		t.Fatalf("checks %+v", got)
	}
	for i, works := range []bool{true, true, false} {
		if err := got[i].Ping(t.Context()); (err == nil) != works || got[i].Required {
			t.Errorf("%s: %v, required %v", got[i].Name, err, got[i].Required)
		}
	}
}
