package doctor

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/answer/llm/openai"
	"vigueur/internal/kit/errs"
	"vigueur/internal/search/milvus"
	"vigueur/internal/store/meili"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/embedding"
)

// withDB calls look with the database, if the database can be compared with an index.
func (p *target) withDB(ctx context.Context, n *notes, look func(db *postgres.DB, e postgres.Examined)) {
	e, known := p.catalog(ctx, n)
	if !known {
		return
	}
	db, err := postgres.Open(ctx, p.ingest.DatabaseURL)
	if err != nil {
		n.addUnseen("non comparé au catalogue : la base ne répond plus")
		return
	}
	defer db.Close()
	look(db, e)
}

// checkVectors checks the vectors of meaning: which model made them, and whether they are complete.
func (p *target) checkVectors(ctx context.Context, n *notes) {
	model, err := embedding.NewModel(embedding.Server{URL: p.ingest.EmbedderURL, Key: p.ingest.EmbedderKey, Model: p.ingest.EmbedderModel}, modelPatience)
	if err != nil {
		n.fail("le modèle de vecteurs ne s’ouvre pas : "+cause(err), "Réinstallez le programme.")
		return
	}
	p.withDB(ctx, n, func(db *postgres.DB, e postgres.Examined) {
		generations, err := db.Generations(ctx)
		if err != nil {
			n.fail("les générations de vecteurs ne peuvent pas être lues : "+cause(err), "Regardez le journal de PostgreSQL.")
			return
		}
		judgeVectors(n, generations, model.Name, e)
		sentences, err := db.SentenceGenerations(ctx)
		if err != nil {
			n.fail("les vecteurs de phrases ne peuvent pas être lus : "+cause(err), "Regardez le journal de PostgreSQL.")
			return
		}
		judgeSentences(n, sentences, e.Catalog)
	})
}

// judgeVectors compares the generations of vectors, the current one first, with the configured model and the
// catalogue.
func judgeVectors(n *notes, generations []postgres.Generation, model string, e postgres.Examined) {
	if len(generations) == 0 || !generations[0].Current {
		if e.Texts > 0 {
			n.warn("aucun vecteur : les réponses se cherchent par les mots seuls", "Démarrez un worker ; il les fait.")
			return
		}
		n.ok("aucun texte, aucun vecteur")
		return
	}
	current := generations[0]
	switch {
	case current.Error != "":
		n.warn("la dernière tentative a échoué : "+current.Error, "Regardez « embedding » dans le journal des workers.")
	case current.Model != model:
		n.warn(fmt.Sprintf("les vecteurs sont de « %s », le réglage dit « %s »", current.Model, model), "Un worker les refait à côté de ceux qui servent ; rien à faire s’il tourne.")
	case current.Covered < e.Catalog:
		n.warn(fmt.Sprintf("les vecteurs suivent le catalogue jusqu’à %d sur %d", current.Covered, e.Catalog), "Attendez le worker ; s’il n’avance pas, regardez son journal.")
	default:
		n.ok(fmt.Sprintf("vecteurs de « %s », à jour", current.Model))
	}
}

// judgeSentences compares the generations of sentence vectors, the latest first, with the catalogue.
func judgeSentences(n *notes, generations []postgres.Generation, catalog int64) {
	if len(generations) == 0 {
		n.ok("aucun vecteur de phrases : VIGUEUR_SENTENCES est à false, ou aucun worker n’a encore tourné")
		return
	}
	switch latest := generations[0]; {
	case latest.Error != "":
		n.warn("vecteurs de phrases : la dernière tentative a échoué : "+latest.Error, "Regardez « sentences » dans le journal des workers.")
	case latest.Covered < catalog:
		n.warn(fmt.Sprintf("les vecteurs de phrases suivent le catalogue jusqu’à %d sur %d ; les articles sans vecteur sont classés sans eux", max(0, latest.Covered), catalog),
			"Attendez le worker : il lit 10 à 25 passages par seconde.")
	default:
		n.ok(fmt.Sprintf("vecteurs de phrases de « %s », à jour", latest.Model))
	}
}

// following reports how far an index lags behind the catalogue. It returns true if the index contains the whole
// catalogue.
func following(ctx context.Context, n *notes, follower postgres.Follower, catalog int64) bool {
	row, err := follower.Now(ctx)
	switch {
	case err != nil:
		n.fail("l’état de l’index ne peut pas être lu : "+cause(err), "Regardez le journal de PostgreSQL.")
	case row.Failures > 0:
		n.fail(fmt.Sprintf("%d échecs de suite : %s", row.Failures, row.Error), "Corrigez ce que dit l’erreur ; le worker réessaie de lui-même.")
	case row.Rebuild || row.Version < catalog:
		n.warn(fmt.Sprintf("l’index suit le catalogue jusqu’à %d sur %d", row.Version, catalog), "Attendez le worker ; s’il n’avance pas, regardez son journal.")
	default:
		return true
	}
	return false
}

// leastMilvus is the oldest supported version of Milvus.
var leastMilvus = [3]int{2, 6, 5}

// checkMilvus checks the passage index in Milvus, if one is configured.
func (p *target) checkMilvus(ctx context.Context, n *notes) {
	if p.ingest.MilvusURL == "" {
		n.ok("sans Milvus : chaque worker tient l’index en mémoire")
		return
	}
	p.checkTLS(ctx, n, p.ingest.MilvusURL)
	store := &milvus.Store{Address: p.ingest.MilvusURL, Key: p.ingest.MilvusKey, Patience: 5 * time.Second}
	defer func() { _ = store.Close() }()
	version, err := store.Version(ctx)
	if err != nil {
		n.fail("ne répond pas : "+cause(err), "Démarrez Milvus, ou corrigez VIGUEUR_MILVUS_URL et VIGUEUR_MILVUS_KEY.")
		return
	}
	if parsed, ok := numbers(version); ok && older(parsed, leastMilvus) {
		n.warn("Milvus "+version+" : le service est fait pour 2.6.5 et plus", "Mettez Milvus à niveau.")
	} else {
		n.ok("Milvus " + version)
	}
	p.withDB(ctx, n, func(db *postgres.DB, e postgres.Examined) { p.checkCollection(ctx, n, store, db, e) })
}

// checkCollection compares the collection in Milvus with the catalogue.
func (p *target) checkCollection(ctx context.Context, n *notes, store *milvus.Store, db *postgres.DB, e postgres.Examined) {
	whole := following(ctx, n, db.PassageIndex(), e.Catalog)
	collection, err := store.Searched(ctx)
	switch {
	case milvus.Lost(err):
		n.fail("la collection n’est pas là, ou a une autre forme : rien n’est trouvé", "ingest reindex --passages, avec un worker qui tourne.")
		return
	case err != nil:
		n.fail("la collection ne répond pas : "+cause(err), "Regardez l’état de Milvus.")
		return
	}
	generations, err := db.Generations(ctx)
	if err == nil && len(generations) > 0 && generations[0].Current && collection.Generation != generations[0].ID && collection.Generation != uuid.Nil {
		n.warn("la collection est d’une autre génération de vecteurs que celle qui sert", "Le worker la refait ; sinon ingest reindex --passages.")
	}
	passages, err := store.Passages(ctx)
	switch {
	case err != nil:
		n.addUnseen("nombre de passages non vu : " + cause(err))
	case whole && passages != e.Passages:
		n.warn(fmt.Sprintf("%d passages dans Milvus, %d dans le catalogue", passages, e.Passages), "ingest reconcile")
	default:
		n.ok(fmt.Sprintf("%d passages", passages))
	}
}

// checkMeili checks the title index in Meilisearch, if one is configured.
func (p *target) checkMeili(ctx context.Context, n *notes) {
	if p.ingest.MeiliURL == "" {
		n.ok("sans Meilisearch : PostgreSQL cherche les titres")
		return
	}
	p.checkTLS(ctx, n, p.ingest.MeiliURL)
	index, err := meili.Open(p.ingest.MeiliURL, p.ingest.MeiliKey)
	if err != nil {
		n.fail(errs.Public(err), "Corrigez VIGUEUR_MEILI_URL.")
		return
	}
	defer index.Close()
	if err := index.Ping(ctx); err != nil {
		n.fail("ne répond pas : "+cause(err), "Démarrez Meilisearch, ou corrigez VIGUEUR_MEILI_URL. PostgreSQL cherche seul jusque-là.")
		return
	}
	switch version, err := index.Version(ctx); {
	case err == nil:
		n.ok("Meilisearch " + version)
	case meili.Denied(err):
		n.addUnseen("la clé n’a pas le droit de demander la version")
	default:
		n.addUnseen("version non vue : " + cause(err))
	}
	p.withDB(ctx, n, func(db *postgres.DB, e postgres.Examined) {
		whole := following(ctx, n, db.TitleIndex(), e.Catalog)
		switch titles, err := index.Count(ctx); {
		case meili.Denied(err):
			n.fail("la clé ne permet pas de lire l’index « titles »", "Les workers ont besoin d’une clé qui écrit : VIGUEUR_MEILI_KEY.")
		case errs.Is(err, errs.NotFound):
			n.warn("l’index « titles » n’existe pas encore", "Démarrez un worker ; ou ingest reindex --titles.")
		case err != nil:
			n.fail("l’index ne peut pas être lu : "+cause(err), "Regardez l’état de Meilisearch.")
		case whole && int(titles) != e.Texts:
			n.warn(fmt.Sprintf("%d titres dans Meilisearch, %d dans le catalogue", titles, e.Texts), "ingest reconcile")
		default:
			n.ok(fmt.Sprintf("%d titres", titles))
		}
	})
}

// numbers parses a version with three numbers. ok is false if the text has another form.
func numbers(version string) (v [3]int, ok bool) {
	version, _, _ = strings.Cut(version, "-")
	parts := strings.Split(version, ".")
	if len(parts) < len(v) {
		return v, false
	}
	for i := range v {
		var err error
		if v[i], err = strconv.Atoi(parts[i]); err != nil {
			return v, false
		}
	}
	return v, true
}

func older(a, b [3]int) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

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

// The memory that a worker needs for the catalogue, in bytes. The value per passage is the larger one of two
// measurements of « scripts/bench search », with 90,000 and with 1,000,000 passages (docs/capacity.md). With Milvus,
// the index is kept in files and the memory does not depend on the size of the catalogue.
const (
	heldOfPassage     = 716 + 169 // the passage in the index with its vector, plus cached results
	heldBesideAMilvus = 1 << 20
)

// held returns the approximate memory of a worker for a catalogue, in bytes.
func held(passages int64, milvus bool) int64 {
	if milvus {
		return heldBesideAMilvus
	}
	return passages * heldOfPassage
}
