package version

import "testing"

func TestVersionIsTheLinkersElseTheModules(t *testing.T) {
	for _, c := range []struct{ name, linker, module, want string }{
		{"a tag", "", "v1.2.3", "v1.2.3"},
		{"an image", "1.2.3", "(devel)", "1.2.3"},
		{"an image of another name", "1.2.3", "v1.0.0", "1.2.3"},
		{"neither", "", "(devel)", Unknown},
		{"nothing", "", "", Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			version = c.linker
			t.Cleanup(func() { version = "" })
			if got := known(c.module); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestAProgramKnowsItsGo(t *testing.T) {
	if got := Read(); got.Go == "" || got.Version == "" {
		t.Errorf("%+v", got)
	}
}
