package main

import (
	"net/url"

	"vigueur/internal/answer/llm"
	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/answer/llm/openai"
	"vigueur/internal/answer/llm/order"
)

// models returns the generators that a question may name: the extractive one, which also
// writes the abstentions of the others, and those of the configured servers.
func (w *worker) models() map[string]llm.Generator {
	quotes := &extractive.Generator{Lexicon: w.lexicon}
	models := map[string]llm.Generator{extractive.Model: quotes}
	c := w.config
	endpoints := c.Endpoints()
	// All models of a server share the server's limits.
	bounds := make([]*order.Bounds, len(endpoints))
	for i, e := range endpoints {
		bounds[i] = order.NewBounds(e.AtOnce, e.PerMinute)
	}
	for _, name := range c.Names {
		asked := &order.Order{Model: name, Log: w.log}
		for i, e := range endpoints {
			client := &openai.Client{URL: e.URL, Key: e.Key}
			g := &openai.Generator{Client: client, Model: name, Called: e.Called, Context: c.ModelContext, Output: c.ModelOutput, Nothing: quotes}
			asked.Servers = append(asked.Servers, &order.Server{Name: host(e.URL), Generator: g, Tokens: g.Tokens, Bounds: bounds[i], In: e.In, Out: e.Out})
		}
		models[name] = asked
	}
	return models
}

// host returns the name of a server for the log and the metrics.
func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}
