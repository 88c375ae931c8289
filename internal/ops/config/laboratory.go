package config

// LoadEmbedder reads only the settings of the embedding server, for the laboratory, which
// has no stores.
func LoadEmbedder(environ map[string]string) (Embedder, error) { return load[Embedder](environ) }

func (e Embedder) faults() []string {
	var f faults
	e.embedderFaults(&f)
	return f
}
