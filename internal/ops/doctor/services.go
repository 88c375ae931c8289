package doctor

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"vigueur/internal/answer/llm/openai"
	"vigueur/internal/kit/errs"
	"vigueur/internal/search/milvus"
	"vigueur/internal/store/meili"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/notify"
)

// certificateWarn is the remaining lifetime below which a certificate gets a warning. Let's Encrypt's certificates
// are renewed 30 days before their end, so one with less than 21 days was not renewed.
const certificateWarn = 21 * 24 * time.Hour

// checkPublicAddress requests /readyz at the public address of the service, as a client would.
func (p *target) checkPublicAddress(ctx context.Context) (f findings) {
	if !p.apiHere || p.apiErr != nil {
		f.unseen("non regardée : les réglages de l’API ne sont pas ici, ou sont à corriger")
		return f
	}
	base := strings.TrimSuffix(p.api.BaseURL, "/")
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/readyz", http.NoBody)
	if err != nil {
		f.fail(true, "VIGUEUR_BASE_URL n’est pas une adresse", "Mettez-y l’adresse publique : https://droit.example")
		return f
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	got, err := client.Do(request)
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &certificate):
		f.fail(true, "le certificat de "+request.URL.Hostname()+" est refusé : "+cause(err),
			"Renouvelez-le, refaites-le pour ce nom, ou ajoutez son autorité à celles du système (update-ca-certificates).")
		return f
	case err != nil:
		f.warn(true, base+" ne répond pas d’ici : "+cause(err), "Démarrez l’API et le mandataire ; ou ce nom n’est connu que du dehors.")
		return f
	}
	defer got.Body.Close()
	var body struct {
		Status string
		Stores map[string]struct{ Status string }
	}
	err = json.NewDecoder(io.LimitReader(got.Body, 64<<10)).Decode(&body)
	switch {
	case got.StatusCode >= 300 && got.StatusCode < 400:
		f.warn(true, fmt.Sprintf("%s renvoie ailleurs (%s)", base, got.Header.Get("Location")), "Mettez dans VIGUEUR_BASE_URL l’adresse où l’on arrive.")
	case err != nil || body.Stores == nil || got.Header.Get("X-Request-Id") == "":
		f.fail(true, fmt.Sprintf("%s/readyz répond %d, et ce n’est pas l’API", base, got.StatusCode), "Vérifiez le mandataire, et VIGUEUR_BASE_URL.")
	case body.Status != string(OK):
		var down []string
		for name, store := range body.Stores {
			if store.Status != string(OK) {
				down = append(down, name)
			}
		}
		slices.Sort(down)
		f.fail(true, "l’API n’est pas prête : "+strings.Join(down, ", "), "Regardez « store down » dans son journal.")
	default:
		f.ok(base + " mène à l’API, qui est prête")
	}
	if got.TLS != nil {
		end := got.TLS.PeerCertificates[0].NotAfter
		f.warn(time.Until(end) < certificateWarn, "le certificat expire le "+end.Format(time.DateOnly), "Renouvelez-le ; regardez pourquoi il ne l’est pas de lui-même.")
	}
	return f
}

// checkMail checks the mail server or mail folder without sending a message.
func (p *target) checkMail(ctx context.Context) (f findings) {
	if !p.workerHere || p.workerErr != nil {
		f.unseen("non regardés : les réglages du worker ne sont pas ici, ou sont à corriger")
		return f
	}
	if p.worker.SMTPURL != "" {
		server, err := notify.NewSMTP(p.worker.SMTPURL)
		if err == nil {
			err = server.Try(ctx)
		}
		f.fail(err != nil, errs.Public(err), "Vérifiez l’adresse, le port, TLS et le mot de passe de VIGUEUR_SMTP_URL. Les messages attendent et partiront d’eux-mêmes.")
		f.okUnlessFaulty("le serveur de messagerie a accepté la connexion ; rien n’a été envoyé")
		return f
	}
	if _, err := os.Stat(p.worker.MailDir); errors.Is(err, fs.ErrNotExist) {
		f.unseen("le dossier des messages " + p.worker.MailDir + " n’existe pas encore : le worker le fera")
		return f
	}
	folder, err := notify.NewFolder(p.worker.MailDir)
	if err == nil {
		err = folder.Try(ctx)
	}
	f.fail(err != nil, errs.Public(err), "Donnez "+p.worker.MailDir+" au compte du worker.")
	f.okUnlessFaulty("sans serveur de messagerie : les messages sont des fichiers de " + p.worker.MailDir)
	f.room(p.worker.MailDir)
	return f
}

// modelPatience is the timeout of a request to a model server.
const modelPatience = 5 * time.Second

// modelServer is a server from a setting, with the models that the service requests from it; an empty name is that of
// a server's only model.
type modelServer struct {
	setting, address, key string
	wanted                []string
	window                int // context size in tokens that the settings assume for its models; 0: none
}

// checkModels checks each model server: whether it responds, accepts the key and has the requested models. It
// generates no text.
func (p *target) checkModels(ctx context.Context) (f findings) {
	servers := []modelServer{
		{"VIGUEUR_EMBEDDER_URL", p.ingest.EmbedderURL, p.ingest.EmbedderKey, []string{p.ingest.EmbedderModel}, 0},
	}
	for _, e := range p.worker.Endpoints() {
		wanted := p.worker.Names
		if e.Called != "" {
			wanted = []string{e.Called}
		}
		servers = append(servers, modelServer{"VIGUEUR_MODEL_URL", e.URL, e.Key, wanted, p.worker.ModelContext})
	}
	for _, s := range servers {
		if s.address == "" {
			continue
		}
		models, listed, err := (&openai.Client{URL: s.address, Key: s.key, Silence: modelPatience}).ListModels(ctx)
		switch {
		case openai.Rejected(err):
			f.fail(true, s.setting+" : le serveur refuse la clé", "Corrigez "+strings.TrimSuffix(s.setting, "URL")+"KEY.")
		case err != nil:
			f.fail(true, s.setting+" ne répond pas : "+cause(err), "Démarrez le serveur de modèles, ou corrigez "+s.setting+".")
		case !listed:
			f.unseen(s.setting + " répond, sans liste de ses modèles")
		default:
			f.judgeModels(s, models)
		}
	}
	if len(f) == 0 {
		f.ok("aucun serveur de modèles : réponses faites de citations, vecteurs du programme même")
	}
	return f
}

// judgeModels compares the models that a server lists with the requested ones.
func (f *findings) judgeModels(s modelServer, models []openai.Listed) {
	for _, wanted := range s.wanted {
		// Ollama lists the model « mistral » as « mistral:latest ».
		i := slices.IndexFunc(models, func(m openai.Listed) bool {
			return m.Name == wanted || strings.TrimSuffix(m.Name, ":latest") == wanted
		})
		switch {
		case wanted == "":
			f.ok(s.setting + " répond")
		case i < 0:
			f.fail(true, s.setting+" n’a pas : "+wanted, "Chargez ce modèle, ou corrigez son nom.")
		case models[i].Window > 0 && models[i].Window < s.window:
			f.fail(true, fmt.Sprintf("%s : « %s » y tient %d jetons, et VIGUEUR_MODEL_CONTEXT en annonce %d : les questions longues sont refusées", s.setting, wanted, models[i].Window, s.window),
				fmt.Sprintf("Donnez au serveur %d jetons par réponse, ou %d à VIGUEUR_MODEL_CONTEXT.", s.window, models[i].Window))
		default:
			f.ok(s.setting + " répond et a : " + models[i].Name)
		}
	}
}

// checkVectors checks whether the vectors of meaning and those of sentences follow the catalogue.
func (p *target) checkVectors(ctx context.Context) (f findings) {
	p.withDB(ctx, &f, func(db *postgres.DB, e postgres.Examined) {
		generations, err := db.Generations(ctx)
		sentences, sentencesErr := db.SentenceGenerations(ctx)
		if err = cmp.Or(err, sentencesErr); err != nil {
			f.fail(true, "les vecteurs ne peuvent pas être lus : "+cause(err), "Regardez le journal de PostgreSQL.")
			return
		}
		f.warn(e.Catalog > 0 && (len(generations) == 0 || !generations[0].Current), "aucun vecteur : les réponses se cherchent par les mots seuls", "Démarrez un worker ; il les fait.")
		f.judgeVectors("vecteurs", generations, e.Catalog)
		f.judgeVectors("vecteurs de phrases", sentences[:min(1, len(sentences))], e.Catalog)
		f.okUnlessFaulty("les vecteurs suivent le catalogue")
	})
	return f
}

func (f *findings) judgeVectors(what string, generations []postgres.Generation, catalog int64) {
	for _, g := range generations {
		what := fmt.Sprintf("%s de « %s »", what, g.Model)
		f.warn(g.Error != "", what+" : la dernière tentative a échoué : "+g.Error, "Regardez « embedding » et « sentences » dans le journal des workers.")
		f.warn(g.Error == "" && g.Covered < catalog, fmt.Sprintf("%s : à jour du catalogue jusqu’à %d sur %d", what, max(0, g.Covered), catalog), "Attendez le worker ; s’il n’avance pas, regardez son journal.")
		if g.Error == "" && g.Covered >= catalog {
			f.ok(what + ", à jour")
		}
	}
}

// checkMilvus checks the passage index in Milvus, if one is configured.
func (p *target) checkMilvus(ctx context.Context) (f findings) {
	if p.ingest.MilvusURL == "" {
		f.ok("sans Milvus : chaque worker tient l’index en mémoire")
		return f
	}
	store := &milvus.Store{Address: p.ingest.MilvusURL, Key: p.ingest.MilvusKey, Patience: modelPatience}
	defer func() { _ = store.Close() }()
	switch _, err := store.Searched(ctx); {
	case milvus.Lost(err):
		f.fail(true, "la collection n’est pas là, ou a une autre forme : rien n’est trouvé", "ingest reindex --passages, avec un worker qui tourne.")
	case err != nil:
		f.fail(true, "ne répond pas : "+cause(err), "Démarrez Milvus, ou corrigez VIGUEUR_MILVUS_URL et VIGUEUR_MILVUS_KEY.")
	default:
		f.ok("Milvus répond et a la collection")
	}
	return f
}

// checkMeili checks the title index in Meilisearch, if one is configured.
func (p *target) checkMeili(ctx context.Context) (f findings) {
	if p.ingest.MeiliURL == "" {
		f.ok("sans Meilisearch : PostgreSQL cherche les titres")
		return f
	}
	index, err := meili.Open(p.ingest.MeiliURL, p.ingest.MeiliKey)
	if err != nil {
		f.fail(true, errs.Public(err), "Corrigez VIGUEUR_MEILI_URL.")
		return f
	}
	defer index.Close()
	switch titles, err := index.Count(ctx); {
	case meili.Denied(err):
		f.fail(true, "la clé ne permet pas de lire l’index « titles »", "Les workers ont besoin d’une clé qui écrit : VIGUEUR_MEILI_KEY.")
	case errs.Is(err, errs.NotFound):
		f.warn(true, "l’index « titles » n’existe pas encore", "Démarrez un worker ; ou ingest reindex --titles.")
	case err != nil:
		f.fail(true, "ne répond pas : "+cause(err), "Démarrez Meilisearch, ou corrigez VIGUEUR_MEILI_URL. PostgreSQL cherche seul jusque-là.")
	default:
		f.ok(fmt.Sprintf("Meilisearch répond et a %d titres", titles))
	}
	return f
}
