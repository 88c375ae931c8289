package main

import (
	"vigueur/internal/config"
	"vigueur/internal/httpapi"
	"vigueur/internal/llm/openai"
)

// modelChecks are what /readyz says of the servers that the workers' models are
// on. They are looked at without their keys, which the API has no need of.
func modelChecks(cfg config.API) (checks []httpapi.Check) {
	for _, server := range []struct{ name, url string }{{"model", cfg.ModelURL}, {"embedder", cfg.EmbedderURL}, {"reranker", cfg.RerankerURL}} {
		if server.url != "" {
			client := &openai.Client{URL: server.url}
			checks = append(checks, httpapi.Check{Name: server.name, Ping: client.Ping})
		}
	}
	return checks
}
