package config

import "strings"

// Traces holds the settings of the trace collector.
type Traces struct {
	TracesURL   string  `env:"VIGUEUR_TRACES_URL" help:"collecteur de traces, OTLP par HTTP : http://hôte:4318 ; vide : aucune trace"`
	TracesKey   string  `env:"VIGUEUR_TRACES_KEY" secret:"all" help:"en-tête Authorization pour ce collecteur"`
	TracesShare float64 `env:"VIGUEUR_TRACES_SHARE" envDefault:"1" help:"part des requêtes suivies, de 0 à 1"`
}

func (t Traces) tracesFaults(f *faults) {
	if t.TracesURL != "" {
		f.server("VIGUEUR_TRACES_URL", t.TracesURL)
	}
	if t.TracesShare < 0 || t.TracesShare > 1 || t.TracesShare != t.TracesShare { // the last condition is true for NaN
		f.add("VIGUEUR_TRACES_SHARE : %v n’est pas entre 0 et 1", t.TracesShare)
	}
	if strings.ContainsAny(t.TracesKey, "\r\n") {
		f.add("VIGUEUR_TRACES_KEY : une ligne est attendue")
	}
}
