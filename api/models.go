package main

import (
	"fmt"

	"vigueur/internal/answer/llm/openai"
	"vigueur/internal/ops/config"
	"vigueur/internal/web/httpapi"
)

// modelChecks returns checks of the model servers for /readyz. They use no keys, because
// only the workers have the keys.
func modelChecks(cfg config.API) (checks []httpapi.Check) {
	type server struct{ name, url string }
	var servers []server
	for i, url := range cfg.ModelURL { // names: « model », « model-2 », …
		name := "model"
		if i > 0 {
			name = fmt.Sprintf("model-%d", i+1)
		}
		servers = append(servers, server{name, url})
	}
	servers = append(servers, server{"embedder", cfg.EmbedderURL}, server{"reranker", cfg.RerankerURL})
	for _, server := range servers {
		if server.url != "" {
			client := &openai.Client{URL: server.url}
			checks = append(checks, httpapi.Check{Name: server.name, Ping: client.Ping})
		}
	}
	return checks
}
