package config

import (
	"maps"
	"strings"
	"testing"

	"vigueur/internal/kit/errs"
)

func TestModels(t *testing.T) {
	t.Parallel()
	reached := map[string]string{"VIGUEUR_MODELS": "a,b", "VIGUEUR_MODEL_URL": "https://modèles.example/v1", "VIGUEUR_MODEL_KEY": "tresor"}
	with := func(name, value string) map[string]string {
		set := maps.Clone(reached)
		set[name] = value
		return set
	}
	for name, c := range map[string]struct {
		set  map[string]string
		want string // part of the error; "": no error
	}{
		"none": {nil, ""},
		"two":  {reached, ""},
		"nothing set of each": {map[string]string{"VIGUEUR_MODELS": "a", "VIGUEUR_MODEL_URL": "https://m.example/v1", "VIGUEUR_MODEL_KEY": "", "VIGUEUR_MODEL_CALLED": "",
			"VIGUEUR_MODEL_CONCURRENCY": "", "VIGUEUR_MODEL_TOKENS_PER_MINUTE": "", "VIGUEUR_MODEL_PRICES": ""}, ""},
		"no server":         {with("VIGUEUR_MODEL_URL", ""), "VIGUEUR_MODEL_URL"},
		"no names":          {with("VIGUEUR_MODELS", ""), "VIGUEUR_MODELS"},
		"the name taken":    {with("VIGUEUR_MODELS", "a,extractif"), "« extractif »"},
		"twice":             {with("VIGUEUR_MODELS", "a,a"), "« a »"},
		"an empty name":     {with("VIGUEUR_MODELS", "a,"), "VIGUEUR_MODELS"},
		"a key in the URL":  {with("VIGUEUR_MODEL_URL", "https://x:tresor@m/v1"), "VIGUEUR_MODEL_URL"},
		"another scheme":    {with("VIGUEUR_MODEL_URL", "ftp://m/v1"), "VIGUEUR_MODEL_URL"},
		"no room":           {with("VIGUEUR_MODEL_CONTEXT", "3000"), "VIGUEUR_MODEL_CONTEXT"},
		"no answer":         {with("VIGUEUR_MODEL_OUTPUT", "0"), "VIGUEUR_MODEL_OUTPUT"},
		"an embedder":       {map[string]string{"VIGUEUR_EMBEDDER_URL": "http://127.0.0.1:1/v1", "VIGUEUR_EMBEDDER_MODEL": "bge-m3"}, ""},
		"no model of it":    {map[string]string{"VIGUEUR_EMBEDDER_URL": "http://127.0.0.1:1/v1"}, "VIGUEUR_EMBEDDER_MODEL"},
		"no such embedder":  {map[string]string{"VIGUEUR_EMBEDDER_URL": "redis://127.0.0.1:1"}, "VIGUEUR_EMBEDDER_URL"},
		"an embedder alone": {map[string]string{"VIGUEUR_EMBEDDER_URL": "http://127.0.0.1:1/v1", "VIGUEUR_EMBEDDER_MODEL": " "}, "VIGUEUR_EMBEDDER_MODEL"},
		"two servers": {map[string]string{"VIGUEUR_MODELS": "a", "VIGUEUR_MODEL_URL": "https://m.example/v1,http://n:8000/v1", "VIGUEUR_MODEL_KEY": ",tresor",
			"VIGUEUR_MODEL_CALLED": ",autre", "VIGUEUR_MODEL_CONCURRENCY": "4,0", "VIGUEUR_MODEL_TOKENS_PER_MINUTE": "60000", "VIGUEUR_MODEL_PRICES": "0.2/0.6,"}, ""},
		"more keys than servers": {with("VIGUEUR_MODEL_KEY", "a,b"), "VIGUEUR_MODEL_KEY"},
		"a bad second server":    {with("VIGUEUR_MODEL_URL", "https://m.example/v1,ftp://n"), "VIGUEUR_MODEL_URL"},
		"no price":               {with("VIGUEUR_MODEL_PRICES", "gratuit"), "VIGUEUR_MODEL_PRICES"},
		"a price below":          {with("VIGUEUR_MODEL_PRICES", "-1/2"), "VIGUEUR_MODEL_PRICES"},
		"a bound below":          {with("VIGUEUR_MODEL_CONCURRENCY", "-1"), "VIGUEUR_MODEL_CONCURRENCY"},
		"an unknown checker":     {with("VIGUEUR_CHECKER_MODEL", "autre"), "VIGUEUR_CHECKER_MODEL"},
		"shown otherwise":        {with("VIGUEUR_MODEL_SHOWN", "letters"), "VIGUEUR_MODEL_SHOWN"},
	} {
		t.Run(name, func(t *testing.T) {
			environ := good()
			maps.Copy(environ, c.set)
			worker, err := LoadWorker(environ)
			if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(errs.Public(err), c.want) || strings.Contains(errs.Public(err), "tresor@")) {
				t.Errorf("%s: %v", name, err)
			}
			for _, s := range Settings(worker) {
				if s.Env == "VIGUEUR_MODEL_KEY" && strings.Contains(s.Value, "tresor") {
					t.Errorf("%s: the key is shown: %s", name, s.Value)
				}
			}
			if c.set["VIGUEUR_MODELS"] == "a,a" {
				if _, err := LoadAPI(environ); err == nil {
					t.Error("the API takes a name twice")
				}
			}
		})
	}
}

func TestEndpointsOfModels(t *testing.T) {
	t.Parallel()
	environ := good()
	maps.Copy(environ, map[string]string{"VIGUEUR_MODELS": "a", "VIGUEUR_MODEL_URL": "https://m.example/v1,http://n:8000/v1", "VIGUEUR_MODEL_KEY": "clé",
		"VIGUEUR_MODEL_CALLED": ",autre", "VIGUEUR_MODEL_CONCURRENCY": "4", "VIGUEUR_MODEL_PRICES": "0.2/0.6"})
	c, err := LoadWorker(environ)
	if err != nil {
		t.Fatal(err)
	}
	got := c.Endpoints()
	want := []ModelEndpoint{{URL: "https://m.example/v1", Key: "clé", AtOnce: 4, In: 0.2, Out: 0.6}, {URL: "http://n:8000/v1", Called: "autre"}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
