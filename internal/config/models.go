package config

import (
	"slices"
	"strings"
	"time"
)

// Extractive is the name of the generator that needs no model; no model may
// have it.
const Extractive = "extractif"

// leastRoom is how many tokens a model must be able to hold beside its answer:
// the instructions, the question and one passage.
const leastRoom = 2048

// Models are the language models that a question may name.
type Models struct {
	Names []string `env:"VIGUEUR_MODELS" help:"modèles qu’une question peut nommer, séparés par des virgules ; le premier sert par défaut"`
}

// ModelServer is how they are reached.
type ModelServer struct {
	Models
	ModelURL     string        `env:"VIGUEUR_MODEL_URL" help:"serveur de modèles compatible OpenAI : https://hôte/v1"`
	ModelKey     string        `env:"VIGUEUR_MODEL_KEY" secret:"all" help:"clé du serveur de modèles"`
	ModelContext int           `env:"VIGUEUR_MODEL_CONTEXT" envDefault:"8192" help:"jetons que le modèle peut lire et écrire ensemble"`
	ModelOutput  int           `env:"VIGUEUR_MODEL_OUTPUT" envDefault:"1024" help:"jetons qu’une réponse peut avoir"`
	ModelSilence time.Duration `env:"VIGUEUR_MODEL_SILENCE" envDefault:"1m" help:"attente la plus longue de la suite d’une réponse du modèle"`
}

// Embedder is the server that makes vectors of meaning, in the place of the program's
// own encoder.
type Embedder struct {
	EmbedderURL   string `env:"VIGUEUR_EMBEDDER_URL" help:"serveur de vecteurs compatible OpenAI : http://hôte/v1 ; sans lui, l’encodeur du programme les fait"`
	EmbedderKey   string `env:"VIGUEUR_EMBEDDER_KEY" secret:"all" help:"clé du serveur de vecteurs"`
	EmbedderModel string `env:"VIGUEUR_EMBEDDER_MODEL" help:"modèle de vecteurs de ce serveur"`
}

// Reranker is what looks at the best articles once more.
type Reranker struct {
	RerankerURL   string `env:"VIGUEUR_RERANKER_URL" help:"serveur qui reclasse les articles trouvés (/rerank de Cohere, Jina, vLLM, TEI) : http://hôte/v1 ; sans lui, l’ordre de la recherche reste"`
	RerankerKey   string `env:"VIGUEUR_RERANKER_KEY" secret:"all" help:"clé de ce serveur"`
	RerankerModel string `env:"VIGUEUR_RERANKER_MODEL" help:"modèle de reclassement, si le serveur en a plusieurs"`
}

func (r Reranker) rerankerFaults(f *faults) {
	if r.RerankerURL != "" {
		f.server("VIGUEUR_RERANKER_URL", r.RerankerURL)
	}
}

// ModelURLs are where the workers' models are, for what only looks whether they
// answer.
type ModelURLs struct {
	ModelURL    string `env:"VIGUEUR_MODEL_URL" help:"serveur de modèles compatible OpenAI : https://hôte/v1"`
	EmbedderURL string `env:"VIGUEUR_EMBEDDER_URL" help:"serveur de vecteurs compatible OpenAI : http://hôte/v1 ; sans lui, l’encodeur du programme les fait"`
	RerankerURL string `env:"VIGUEUR_RERANKER_URL" help:"serveur qui reclasse les articles trouvés (/rerank de Cohere, Jina, vLLM, TEI) : http://hôte/v1 ; sans lui, l’ordre de la recherche reste"`
}

func (m ModelURLs) urlFaults(f *faults) {
	for name, value := range map[string]string{"VIGUEUR_MODEL_URL": m.ModelURL, "VIGUEUR_EMBEDDER_URL": m.EmbedderURL, "VIGUEUR_RERANKER_URL": m.RerankerURL} {
		if value != "" {
			f.server(name, value)
		}
	}
}

func (e Embedder) faults() []string {
	var f faults
	e.embedderFaults(&f)
	return f
}

func (e Embedder) embedderFaults(f *faults) {
	if e.EmbedderURL == "" {
		return
	}
	f.server("VIGUEUR_EMBEDDER_URL", e.EmbedderURL)
	if strings.TrimSpace(e.EmbedderModel) == "" {
		f.add("VIGUEUR_EMBEDDER_MODEL : manque ; VIGUEUR_EMBEDDER_URL en a besoin")
	}
}

func (m Models) modelFaults(f *faults) {
	for i, name := range m.Names {
		switch {
		case strings.TrimSpace(name) == "" || strings.ContainsAny(name, "\n\r\t"):
			f.add("VIGUEUR_MODELS : un nom est vide ou illisible")
		case name == Extractive || slices.Contains(m.Names[:i], name):
			f.add("VIGUEUR_MODELS : « %s » est déjà pris", name)
		}
	}
}

// modelFaults holds that the models can be reached.
func (c ModelServer) modelFaults(f *faults) {
	c.Models.modelFaults(f)
	switch {
	case c.ModelURL != "" && len(c.Names) == 0:
		f.add("VIGUEUR_MODELS : manque ; VIGUEUR_MODEL_URL en a besoin")
	case c.ModelURL == "" && len(c.Names) > 0:
		f.add("VIGUEUR_MODEL_URL : manque ; VIGUEUR_MODELS en a besoin")
	case c.ModelURL != "":
		f.server("VIGUEUR_MODEL_URL", c.ModelURL)
	}
	f.atLeastOne("VIGUEUR_MODEL_OUTPUT", c.ModelOutput)
	if c.ModelContext < c.ModelOutput+leastRoom {
		f.add("VIGUEUR_MODEL_CONTEXT : %d jetons ne laissent pas %d jetons au texte à lire à côté des %d de la réponse", c.ModelContext, leastRoom, c.ModelOutput)
	}
	if c.ModelSilence < time.Second || c.ModelSilence > 10*time.Minute {
		f.add("VIGUEUR_MODEL_SILENCE : %v n’est pas entre 1s et 10m", c.ModelSilence)
	}
}

// server holds that value is the address of an HTTP service and carries no
// secret: addresses are printed.
func (f *faults) server(name, value string) {
	f.url(name, value, "http", "https")
	if strings.ContainsAny(value, "@?#") {
		f.add("%s : l’adresse ne doit porter ni nom ni clé ni paramètre", name)
	}
}
