package doctor

import (
	"context"
	"slices"
	"strings"
	"time"

	"vigueur/internal/llm/openai"
)

// modelPatience is how long a server of models may be silent while it is looked at.
const modelPatience = 5 * time.Second

// modelServer is one that a setting names, with the models that are asked of it.
type modelServer struct {
	name, address, key string
	wanted             []string
}

// models looks at the servers of models: whether they answer, take the key and have
// what is asked of them. None is asked to write anything.
func (p *patient) models(ctx context.Context, n *notes) {
	asked := false
	servers := []modelServer{
		{"VIGUEUR_EMBEDDER_URL", p.ingest.EmbedderURL, p.ingest.EmbedderKey, one(p.ingest.EmbedderModel)},
		{"VIGUEUR_RERANKER_URL", p.worker.RerankerURL, p.worker.RerankerKey, one(p.worker.RerankerModel)},
	}
	for _, e := range p.worker.Endpoints() {
		wanted := p.worker.Names
		if e.Called != "" {
			wanted = one(e.Called)
		}
		servers = append(servers, modelServer{"VIGUEUR_MODEL_URL", e.URL, e.Key, wanted})
	}
	for _, server := range servers {
		if server.address == "" {
			continue
		}
		asked = true
		p.tlsOf(ctx, n, server.address)
		client := &openai.Client{URL: server.address, Key: server.key, Silence: modelPatience}
		names, listed, err := client.Names(ctx)
		switch {
		case openai.Rejected(err):
			n.fail(server.name+" : le serveur refuse la clé", "Corrigez "+strings.TrimSuffix(server.name, "URL")+"KEY.")
		case err != nil:
			n.fail(server.name+" ne répond pas : "+cause(err), "Démarrez le serveur de modèles, ou corrigez "+server.name+".")
		case !listed:
			n.unseen(server.name + " répond, sans liste de ses modèles")
		default:
			p.haveModels(n, server.name, names, server.wanted)
		}
	}
	if !asked {
		n.ok("aucun serveur de modèles : réponses faites de citations, vecteurs du programme même")
	}
}

func (p *patient) haveModels(n *notes, name string, names, wanted []string) {
	var missing []string
	for _, w := range wanted {
		// Ollama lists « mistral:latest » for « mistral ».
		if !slices.ContainsFunc(names, func(has string) bool { return has == w || strings.TrimSuffix(has, ":latest") == w }) {
			missing = append(missing, w)
		}
	}
	if len(missing) > 0 {
		n.fail(name+" n’a pas : "+strings.Join(missing, ", "), "Chargez ce modèle, ou corrigez son nom.")
		return
	}
	n.ok(name + " répond et a : " + strings.Join(wanted, ", "))
}

func one(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}
