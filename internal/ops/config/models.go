package config

import (
	"slices"
	"strconv"
	"strings"
)

// Extractive is the name of the generator that needs no model. A model must not have this
// name.
const Extractive = "extractif"

// leastRoom is the minimum number of tokens in a model's context besides the answer: room
// for instructions, question and one passage.
const leastRoom = 2048

// Models are the language models that a question may name.
type Models struct {
	Names []string `env:"VIGUEUR_MODELS" help:"modèles qu’une question peut nommer, séparés par des virgules ; le premier sert par défaut"`
}

// ModelServer holds the language models and the settings of their servers.
type ModelServer struct {
	Models
	ModelURL     []string `env:"VIGUEUR_MODEL_URL" help:"serveurs de modèles compatibles OpenAI, https://hôte/v1, dans l’ordre où ils sont demandés, séparés par des virgules"`
	ModelKey     []string `env:"VIGUEUR_MODEL_KEY" secret:"all" help:"leurs clés, dans le même ordre ; vide : aucune"`
	ModelCalled  []string `env:"VIGUEUR_MODEL_CALLED" help:"le nom que chaque serveur donne au modèle, dans le même ordre ; vide : celui de VIGUEUR_MODELS"`
	ModelAtOnce  []int    `env:"VIGUEUR_MODEL_CONCURRENCY" help:"réponses que chaque serveur écrit à la fois pour un worker, dans le même ordre ; 0 : sans limite"`
	ModelMinute  []int    `env:"VIGUEUR_MODEL_TOKENS_PER_MINUTE" help:"jetons par minute demandés à chaque serveur par un worker, dans le même ordre ; 0 : sans limite"`
	ModelPrices  []string `env:"VIGUEUR_MODEL_PRICES" help:"prix d’un million de jetons lus/écrits de chaque serveur, dans le même ordre : 0.2/0.6,2.5/10"`
	ModelContext int      `env:"VIGUEUR_MODEL_CONTEXT" envDefault:"8192" help:"jetons que le modèle peut lire et écrire ensemble"`
	ModelOutput  int      `env:"VIGUEUR_MODEL_OUTPUT" envDefault:"1024" help:"jetons qu’une réponse peut avoir"`
	Rephrase     bool     `env:"VIGUEUR_MODEL_REPHRASES" envDefault:"true" help:"le modèle redit une question dont la recherche n’est pas sûre, et ce qui s’y trouve s’ajoute : true ou false"`
	Checker      string   `env:"VIGUEUR_CHECKER_MODEL" help:"le modèle qui relit les réponses des autres et en retire ce que les passages ne disent pas ; vide : aucun"`
	ModelShown   string   `env:"VIGUEUR_MODEL_SHOWN" envDefault:"sentences" help:"ce qu’un modèle écrit se montre phrase par phrase, chacune vérifiée (sentences), ou aussitôt (words)"`
}

// Embedder holds the settings of the embedding server that replaces the built-in encoder.
type Embedder struct {
	EmbedderURL   string `env:"VIGUEUR_EMBEDDER_URL" help:"serveur de vecteurs compatible OpenAI : http://hôte/v1 ; sans lui, l’encodeur du programme les fait"`
	EmbedderKey   string `env:"VIGUEUR_EMBEDDER_KEY" secret:"all" help:"clé du serveur de vecteurs"`
	EmbedderModel string `env:"VIGUEUR_EMBEDDER_MODEL" help:"modèle de vecteurs de ce serveur"`
}

// ModelURLs are the addresses of the servers that the workers use, so that other programs
// can check them.
type ModelURLs struct {
	ModelURL    []string `env:"VIGUEUR_MODEL_URL" help:"serveurs de modèles compatibles OpenAI, https://hôte/v1, dans l’ordre où ils sont demandés, séparés par des virgules"`
	EmbedderURL string   `env:"VIGUEUR_EMBEDDER_URL" help:"serveur de vecteurs compatible OpenAI : http://hôte/v1 ; sans lui, l’encodeur du programme les fait"`
}

func (m ModelURLs) urlFaults(f *faults) {
	for _, url := range m.ModelURL {
		f.server("VIGUEUR_MODEL_URL", url)
	}
	if m.EmbedderURL != "" {
		f.server("VIGUEUR_EMBEDDER_URL", m.EmbedderURL)
	}
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

// modelFaults checks the settings of the models and their servers.
func (c ModelServer) modelFaults(f *faults) {
	c.Models.modelFaults(f)
	switch {
	case len(c.ModelURL) > 0 && len(c.Names) == 0:
		f.add("VIGUEUR_MODELS : manque ; VIGUEUR_MODEL_URL en a besoin")
	case len(c.ModelURL) == 0 && len(c.Names) > 0:
		f.add("VIGUEUR_MODEL_URL : manque ; VIGUEUR_MODELS en a besoin")
	}
	for _, url := range c.ModelURL {
		f.server("VIGUEUR_MODEL_URL", url)
	}
	c.perServerFaults(f)
	f.atLeastOne("VIGUEUR_MODEL_OUTPUT", c.ModelOutput)
	if c.ModelContext < c.ModelOutput+leastRoom {
		f.add("VIGUEUR_MODEL_CONTEXT : %d jetons ne laissent pas %d jetons au texte à lire à côté des %d de la réponse", c.ModelContext, leastRoom, c.ModelOutput)
	}
	if c.Checker != "" && !slices.Contains(c.Names, c.Checker) {
		f.add("VIGUEUR_CHECKER_MODEL : « %s » n’est pas parmi VIGUEUR_MODELS", c.Checker)
	}
	if c.ModelShown != "sentences" && c.ModelShown != "words" {
		f.add("VIGUEUR_MODEL_SHOWN : « %s » n’est pas sentences ou words", c.ModelShown)
	}
}

// server checks that value is the address of an HTTP service and contains no secret,
// because addresses are printed.
func (f *faults) server(name, value string) {
	f.url(name, value, "http", "https")
	if strings.ContainsAny(value, "@?#") {
		f.add("%s : l’adresse ne doit porter ni nom ni clé ni paramètre", name)
	}
}

// ModelEndpoint is one of the servers of the models.
type ModelEndpoint struct {
	URL, Key, Called  string
	AtOnce, PerMinute int
	In, Out           float64 // price per million tokens read and written
}

// Endpoints returns the servers of the models in the order in which they are tried.
func (c ModelServer) Endpoints() []ModelEndpoint {
	out := make([]ModelEndpoint, len(c.ModelURL))
	for i, url := range c.ModelURL {
		out[i] = ModelEndpoint{URL: url, Key: nth(c.ModelKey, i), Called: strings.TrimSpace(nth(c.ModelCalled, i)), AtOnce: nth(c.ModelAtOnce, i), PerMinute: nth(c.ModelMinute, i)}
		out[i].In, out[i].Out, _ = price(nth(c.ModelPrices, i))
	}
	return out
}

// nth returns the i-th element of a list, or "" if the list is shorter.
func nth[T any](list []T, i int) (x T) {
	if i < len(list) {
		x = list[i]
	}
	return x
}

// price parses prices such as « 0.2/0.6 ». An empty price is 0.
func price(text string) (in, out float64, ok bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, 0, true
	}
	read, wrote, parted := strings.Cut(text, "/")
	in, bad := strconv.ParseFloat(strings.TrimSpace(read), 64)
	out, worse := strconv.ParseFloat(strings.TrimSpace(wrote), 64)
	const most = 1e6
	return in, out, parted && bad == nil && worse == nil && in >= 0 && out >= 0 && in <= most && out <= most
}

// perServerFaults checks that each list of settings per server has one value per server.
func (c ModelServer) perServerFaults(f *faults) {
	for _, list := range []struct {
		name string
		n    int
	}{{"VIGUEUR_MODEL_KEY", len(c.ModelKey)}, {"VIGUEUR_MODEL_CALLED", len(c.ModelCalled)}, {"VIGUEUR_MODEL_CONCURRENCY", len(c.ModelAtOnce)},
		{"VIGUEUR_MODEL_TOKENS_PER_MINUTE", len(c.ModelMinute)}, {"VIGUEUR_MODEL_PRICES", len(c.ModelPrices)}} {
		if list.n > len(c.ModelURL) {
			f.add("%s : %d valeurs pour les %d serveurs de VIGUEUR_MODEL_URL", list.name, list.n, len(c.ModelURL))
		}
	}
	for _, n := range append(append([]int{}, c.ModelAtOnce...), c.ModelMinute...) {
		if n < 0 {
			f.add("VIGUEUR_MODEL_CONCURRENCY, VIGUEUR_MODEL_TOKENS_PER_MINUTE : %d, 0 au moins", n)
		}
	}
	for _, text := range c.ModelPrices {
		if _, _, ok := price(text); !ok {
			f.add("VIGUEUR_MODEL_PRICES : « %s » n’est pas un prix de la forme 0.2/0.6", text)
		}
	}
}
