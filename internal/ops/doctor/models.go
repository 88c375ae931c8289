package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"vigueur/internal/answer/llm/openai"
)

// modelPatience is how long a server of models may be silent while it is looked at.
const modelPatience = 5 * time.Second

// modelServer is one that a setting names, with the models that are asked of it.
type modelServer struct {
	name, address, key string
	wanted             []string
	window             int // tokens that a model of it is believed to hold; 0: nothing is
}

// models looks at the servers of models: whether they answer, take the key and have
// what is asked of them. None is asked to write anything.
func (p *patient) models(ctx context.Context, n *notes) {
	asked := false
	servers := []modelServer{
		{"VIGUEUR_EMBEDDER_URL", p.ingest.EmbedderURL, p.ingest.EmbedderKey, one(p.ingest.EmbedderModel), 0},
		{"VIGUEUR_RERANKER_URL", p.worker.RerankerURL, p.worker.RerankerKey, one(p.worker.RerankerModel), 0},
	}
	for _, e := range p.worker.Endpoints() {
		wanted := p.worker.Names
		if e.Called != "" {
			wanted = one(e.Called)
		}
		servers = append(servers, modelServer{"VIGUEUR_MODEL_URL", e.URL, e.Key, wanted, p.worker.ModelContext})
	}
	for _, server := range servers {
		if server.address == "" {
			continue
		}
		asked = true
		p.tlsOf(ctx, n, server.address)
		client := &openai.Client{URL: server.address, Key: server.key, Silence: modelPatience}
		models, listed, err := client.Listed(ctx)
		switch {
		case openai.Rejected(err):
			n.fail(server.name+" : le serveur refuse la clé", "Corrigez "+strings.TrimSuffix(server.name, "URL")+"KEY.")
		case err != nil:
			n.fail(server.name+" ne répond pas : "+cause(err), "Démarrez le serveur de modèles, ou corrigez "+server.name+".")
		case !listed:
			n.unseen(server.name + " répond, sans liste de ses modèles")
		default:
			server.has(n, models)
		}
	}
	if !asked {
		n.ok("aucun serveur de modèles : réponses faites de citations, vecteurs du programme même")
	}
}

// has holds what a server lists against what is asked of it.
func (s modelServer) has(n *notes, models []openai.Listed) {
	var missing []string
	for _, w := range s.wanted {
		// Ollama lists « mistral:latest » for « mistral ».
		i := slices.IndexFunc(models, func(m openai.Listed) bool { return m.Name == w || strings.TrimSuffix(m.Name, ":latest") == w })
		switch {
		case i < 0:
			missing = append(missing, w)
		case models[i].Window > 0 && models[i].Window < s.window:
			n.fail(fmt.Sprintf("%s : « %s » y tient %d jetons, et VIGUEUR_MODEL_CONTEXT en annonce %d : les questions longues sont refusées", s.name, w, models[i].Window, s.window),
				fmt.Sprintf("Donnez au serveur %d jetons par réponse, ou %d à VIGUEUR_MODEL_CONTEXT.", s.window, models[i].Window))
		}
	}
	if len(missing) > 0 {
		n.fail(s.name+" n’a pas : "+strings.Join(missing, ", "), "Chargez ce modèle, ou corrigez son nom.")
		return
	}
	n.ok(s.name + " répond et a : " + strings.Join(s.wanted, ", "))
}

func one(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}
