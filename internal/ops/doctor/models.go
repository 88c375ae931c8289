package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"vigueur/internal/answer/llm/openai"
)

// modelPatience is the timeout of a request to a model server.
const modelPatience = 5 * time.Second

// modelServer is a server from a setting, with the models that the service requests from
// it.
type modelServer struct {
	name, address, key string
	wanted             []string
	window             int // context size in tokens that the settings assume for its models; 0: none
}

// checkModels checks each model server: whether it responds, accepts the key and has the
// requested models. It generates no text.
func (p *target) checkModels(ctx context.Context, n *notes) {
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
		p.checkTLS(ctx, n, server.address)
		client := &openai.Client{URL: server.address, Key: server.key, Silence: modelPatience}
		models, listed, err := client.ListModels(ctx)
		switch {
		case openai.Rejected(err):
			n.fail(server.name+" : le serveur refuse la clé", "Corrigez "+strings.TrimSuffix(server.name, "URL")+"KEY.")
		case err != nil:
			n.fail(server.name+" ne répond pas : "+cause(err), "Démarrez le serveur de modèles, ou corrigez "+server.name+".")
		case !listed:
			n.addUnseen(server.name + " répond, sans liste de ses modèles")
		default:
			server.has(n, models)
		}
	}
	if !asked {
		n.ok("aucun serveur de modèles : réponses faites de citations, vecteurs du programme même")
	}
}

// has compares the models that a server lists with the requested ones.
func (s modelServer) has(n *notes, models []openai.Listed) {
	var missing []string
	for _, w := range s.wanted {
		// Ollama lists the model « mistral » as « mistral:latest ».
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
