package main

import (
	"vigueur/internal/llm"
	"vigueur/internal/llm/extractive"
	"vigueur/internal/llm/openai"
)

// models are the generators that a question may name: the extractive one, and
// those of the configured server, for which it says that nothing was found.
func (w *worker) models() map[string]llm.Generator {
	quotes := &extractive.Generator{Lexicon: w.lexicon}
	models := map[string]llm.Generator{extractive.Model: quotes}
	c := w.config
	client := &openai.Client{URL: c.ModelURL, Key: c.ModelKey, Silence: c.ModelSilence}
	for _, name := range c.Names {
		models[name] = &openai.Generator{Client: client, Model: name, Context: c.ModelContext, Output: c.ModelOutput, Nothing: quotes}
	}
	return models
}
