package config

import (
	"maps"
	"strings"
	"testing"

	"vigueur/internal/kit/errs"
)

func TestTraces(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		set  map[string]string
		want string // part of the error; "": no error
	}{
		"none":        {nil, ""},
		"a collector": {map[string]string{"VIGUEUR_TRACES_URL": "http://collector:4318"}, ""},
		"no URL":      {map[string]string{"VIGUEUR_TRACES_URL": "collector:4318"}, "VIGUEUR_TRACES_URL"},
		"a key in it": {map[string]string{"VIGUEUR_TRACES_URL": "http://tresor@collector"}, "VIGUEUR_TRACES_URL"},
	} {
		t.Run(name, func(t *testing.T) {
			environ := good()
			maps.Copy(environ, c.set)
			_, err := LoadWorker(environ)
			if _, other := LoadAPI(environ); (other == nil) != (err == nil) {
				t.Errorf("%s: the API says %v, the worker %v", name, other, err)
			}
			if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(errs.Public(err), c.want) || strings.Contains(errs.Public(err), "tresor")) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}
