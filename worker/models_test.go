package main

import (
	"log/slog"
	"maps"
	"slices"
	"testing"

	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/answer/llm/order"
	"vigueur/internal/law/french"
	"vigueur/internal/ops/config"
)

func TestModels(t *testing.T) {
	t.Parallel()
	environ := map[string]string{
		"VIGUEUR_DATABASE_URL": "postgres://v@127.0.0.1/v", "VIGUEUR_REDIS_URL": "redis://127.0.0.1:6379/0",
		"VIGUEUR_BLOBS_URL": "file:///var/lib/vigueur", "VIGUEUR_MAIL_DIR": "/var/lib/vigueur/mail",
	}
	configured := maps.Clone(environ)
	configured["VIGUEUR_MODEL_URL"] = "http://one:8000/v1,http://two:8000/v1"
	configured["VIGUEUR_MODELS"] = "large,small"
	for name, c := range map[string]struct {
		environ map[string]string
		want    []string
		servers []string
	}{
		"none is configured":     {environ, []string{extractive.Model}, nil},
		"two on the two servers": {configured, []string{extractive.Model, "large", "small"}, []string{"one:8000", "two:8000"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			loaded, err := config.LoadWorker(c.environ)
			if err != nil {
				t.Fatal(err)
			}
			w := &worker{config: loaded, lexicon: french.NewLexicon(), log: slog.New(slog.DiscardHandler)}
			models := w.models()
			if got := slices.Sorted(maps.Keys(models)); !slices.Equal(got, c.want) {
				t.Fatalf("models %q, want %q", got, c.want)
			}
			bounds := map[*order.Bounds]string{}
			for _, name := range c.want[1:] {
				asked, ok := models[name].(*order.Order)
				if !ok || asked.Model != name {
					t.Fatalf("%s is %+v", name, models[name])
				}
				var servers []string
				for _, s := range asked.Servers {
					servers = append(servers, s.Name)
					bounds[s.Bounds] = s.Name
				}
				if !slices.Equal(servers, c.servers) {
					t.Errorf("%s: servers %q, want %q", name, servers, c.servers)
				}
			}
			// All models of a server share the server's limits.
			if len(bounds) != len(c.servers) {
				t.Errorf("%d limits for %d servers", len(bounds), len(c.servers))
			}
		})
	}
}
