package postgres

import "testing"

func TestNamesOfConnectionsAreReadBack(t *testing.T) {
	t.Parallel()
	for _, p := range []Process{
		{Program: "api", Version: "v0.9.2", Newest: 180, ID: "1a2b3c", Connections: 8},
		{Program: "worker", Version: "v0.0.0-20261123091045-1a2b3c4d5e6f", Newest: 9999, ID: "1a2b3c", Connections: 8},
		{Program: "worker", Version: "(inconnue)", Newest: 180, ID: "1a2b3c"},
	} {
		name := p.name()
		if got, ok := processOf(name); !ok || got != p || len(name) > 63 {
			t.Errorf("%q is read as %+v, %v", name, got, ok)
		}
	}
	long := Process{Program: "worker", Version: "v0.0.0-20261123091045-1a2b3c4d5e6f+dirty-and-more", Newest: 180, ID: "1a2b3c", Connections: 120}
	if got, ok := processOf(long.name()); !ok || got.ID != long.ID || got.Connections != 120 || len(got.Version) < 32 || len(long.name()) != 63 {
		t.Errorf("%q is read as %+v, %v", long.name(), got, ok)
	}
	if got, ok := processOf("vigueur-worker 180 1a2b3c v0.9.2"); !ok || got.ID != "1a2b3c" || got.Connections != 0 {
		t.Errorf("a process that does not tell its connections is read as %+v, %v", got, ok)
	}
	for _, name := range []string{"", "psql", "vigueur-", "vigueur-worker", "vigueur-worker x 1a2b3c v1", "vigueur-worker 180 1a2b3c"} {
		if p, ok := processOf(name); ok {
			t.Errorf("%q is %+v", name, p)
		}
	}
}
