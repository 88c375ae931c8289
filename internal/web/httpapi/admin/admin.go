// Package admin serves the administration: accounts, API keys, domains, the audit log, links and
// inquiries of everybody, figures, and the explanation of an answer.
package admin

import (
	"encoding/hex"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// Handlers serve the routes of the administration.
type Handlers struct {
	*guard.Guard

	Passwords *auth.Passwords
	Workers   func(class string) (int, error) // number of processes that read a queue
	Milvus    bool                            // passages are also in Milvus
	Meili     bool                            // titles are also in Meilisearch
	Askers    int                             // accounts that must have asked an unanswered question for editors to read it
}

// Routes registers the routes, those of the API below api.
func (s *Handlers) Routes(routes contract.Routes) {
	api := routes.Below(transport.Prefix)
	api = api.Tag("Administration des comptes")
	api.Get("/admin/ids", "findIDs", "Trouver un objet par le début de son identifiant", s.Role("editor", contract.Do(s.findIDs)))
	api.Get("/admin/users", "listUsers", "Lister les comptes", s.Role("admin", s.Audited(postgres.UsersRead, contract.Do(s.listUsers))))
	api.Post("/admin/users", "createUser", "Ouvrir un compte", s.Role("admin", contract.Do(s.createUser))).Gives(201).Fails(409).Headers("Location")
	api.Get("/admin/users/:id", "showUser", "Voir un compte", s.Role("admin", s.Audited(postgres.UsersRead, contract.Do(s.showAccountOf))))
	api.Patch("/admin/users/:id", "changeUser", "Changer un compte", s.Role("admin", contract.Do(s.changeUser))).Fails(409)
	api.Get("/admin/keys", "listKeys", "Lister les clés d’API", s.Role("admin", s.Audited(postgres.KeysRead, contract.Do(s.listKeys))))
	api.Post("/admin/keys", "createKey", "Faire une clé d’API", s.Role("admin", contract.Do(s.createKey))).Gives(201).Fails(409)
	api.Delete("/admin/keys/:id", "revokeKey", "Révoquer une clé d’API", s.Role("admin", contract.Do(s.revokeKey)))
	api.Get("/admin/shared", "listAllLinks", "Lister les conversations partagées", s.Role("admin", s.Audited(postgres.LinksRead, contract.Do(s.listAllLinks))))
	api.Delete("/admin/shared/:id", "withdrawLink", "Retirer le lien d’une conversation", s.Role("admin", contract.Do(s.withdrawLink)))
	api = api.Tag("Administration du catalogue")
	api.Get("/admin/domaines", "listAllDomains", "Lister tous les domaines", s.Role("admin", contract.Do(s.listAllDomains)))
	api.Post("/admin/domaines", "createDomain", "Ajouter un domaine", s.Role("admin", contract.Do(s.createDomain))).Gives(201).Fails(409)
	api.Patch("/admin/domaines/:code", "changeDomain", "Changer un domaine", s.Role("admin", contract.Do(s.changeDomain))).Fails(404)
	api = api.Tag("Administration du service")
	api.Get("/admin/audit", "listAudit", "Lire le journal des actions", s.Role("admin", contract.Exports(contract.Do(s.listAudit)))).Media("text/csv").Headers("Content-Disposition")
	api.Get("/admin/answers/:id/why", "explainAnswer", "Voir pourquoi une réponse est ce qu’elle est", s.Role("editor", s.Audited(postgres.AnswerExplained, contract.Do(s.explainAnswer))))
	api = api.Tag("Administration du catalogue")
	api.Get("/admin/names", "listTextNames", "Lister les noms courts donnés aux textes", s.Role("editor", contract.Do(s.listTextNames)))
	api.Post("/admin/names", "nameText", "Donner un nom court à un texte", s.Role("editor", contract.Do(s.nameText))).Gives(201).Also(200, namedText{}).Fails(409)
	api.Delete("/admin/names/:id", "unnameText", "Retirer un nom court", s.Role("editor", contract.Do(s.unnameText)))
	api = api.Tag("Administration du service")
	api.Get("/admin/rated", "listRated", "Exporter les questions dont la réponse a reçu un avis", s.Role("admin", contract.Exports(contract.Do(s.listRated))))
	api.Post("/admin/reindex", "reindex", "Faire refaire les index", s.Role("admin", contract.Do(s.reindex))).Gives(202)
	api.Get("/admin/queues", "listQueues", "Voir le travail en attente", s.Role("editor", contract.Do(s.listQueues)))
	api.Get("/admin/questions", "listUncertainQuestions", "Lister les questions sans réponse sûre", s.Role("editor", s.Audited(postgres.QuestionsRead, contract.Do(s.listUncertainQuestions))))
	api.Get("/admin/waiting", "countWaiting", "Compter ce qui attend une personne", s.Role("editor", contract.Do(s.countWaiting)))
	api.Get("/admin/stats", "listStats", "Voir les chiffres par jour", s.Role("editor", contract.Do(s.listStats)))
	api.Get("/admin/inquiries", "listInquiries", "Lister les demandes de rendez-vous", s.Role("admin", s.Audited(postgres.InquiriesRead, contract.Do(s.listInquiries))))
	api.Patch("/admin/inquiries/:id", "changeInquiry", "Noter la suite d’une demande", s.Role("admin", contract.Do(s.changeInquiry)))
}

// auditPage is the number of entries that an export reads at a time.
const auditPage = 1000

// Length limits of a domain's fields, in code points.
const (
	domainLabelLimit       = 255
	domainDescriptionLimit = 2000
	domainCodeLimit        = 40
)

// The number of days of the figures: without the parameter from, and the maximum.
const (
	statsDays     = 30  // default without the parameter from
	statsDaysMost = 366 // maximum in one response
)

// questionsMost is how many questions without a sure answer are listed.
const questionsMost = 200

// Page size of the list of inquiries, and the number of attempts shown for each.
const (
	inquiriesDefault = 50
	inquiriesMost    = 200
	attemptsShown    = 20
)

const (
	idDigits = 32
	// idsMost is the maximum number of rows that a prefix is answered with.
	idsMost = 100
)

// namedTables are the kinds of objects that people select by the beginning of an id. Those of people are for administrators.
var namedTables = map[string]struct {
	table  postgres.Named
	people bool
}{
	"keys": {postgres.NamedKeys, true}, "users": {postgres.NamedUsers, true}, "shared": {postgres.NamedShared, true}, "follows": {postgres.NamedFollows, true},
	"ingestions": {postgres.NamedIngestions, false}, "documents": {postgres.NamedDocuments, false}, "relations": {postgres.NamedRelations, false},
	"edits": {postgres.NamedEdits, false}, "waiting": {postgres.NamedAmendments, false}, "decisions": {postgres.NamedDecisions, false},
}

type findIDsInput struct {
	Of     string `query:"of" enum:"decisions,documents,edits,follows,ingestions,keys,relations,shared,users,waiting" required:"true" doc:"La sorte d’objets."`
	Prefix string `query:"prefix" pattern:"^[0-9a-fA-F]{0,32}$" doc:"32 chiffres hexadécimaux au plus, traits d’union admis ; sans eux, les plus récents."`
}

// findIDs serves GET /admin/ids. It lists the objects of a kind whose ids begin with some digits, the newest first.
func (s *Handlers) findIDs(c *fiber.Ctx, user postgres.User, input findIDsInput) (reply respond.All[postgres.Label], _ error) {
	var f form.Faults
	source, target, ok := span(strings.ReplaceAll(strings.ToLower(input.Prefix), "-", ""))
	if !ok {
		f.Add("value_error", []any{"query", "prefix"}, form.Quote(input.Prefix), "%d chiffres hexadécimaux au plus sont attendus.", idDigits)
	}
	if err := f.Err(); err != nil {
		return reply, err
	}
	named := namedTables[input.Of]
	if named.people && user.Role != "admin" {
		return reply, errs.New(errs.Forbidden, "")
	}
	if named.people {
		if err := s.DB.Note(c.UserContext(), postgres.UsersRead, "", map[string]any{"of": input.Of}); err != nil {
			return reply, err
		}
	}
	found, err := s.DB.Between(c.UserContext(), named.table, source, target, idsMost)
	if err != nil {
		return reply, err
	}
	return respond.All[postgres.Label]{Items: found}, nil
}

// span returns the smallest and the largest id that begin with some digits.
func span(digits string) (source, target uuid.UUID, ok bool) {
	if len(digits) > idDigits {
		return source, target, false
	}
	low, err := hex.DecodeString(digits + strings.Repeat("0", idDigits-len(digits)))
	if err != nil {
		return source, target, false
	}
	high, _ := hex.DecodeString(digits + strings.Repeat("f", idDigits-len(digits))) // valid, because low is
	copy(source[:], low)
	copy(target[:], high)
	return source, target, true
}

// ReindexBody says what is indexed again.
type ReindexBody struct {
	Texts    int  `json:"texts" doc:"Les textes que chaque worker relit."` // that each worker reads again; 0: no passages were asked for
	Passages bool `json:"passages" doc:"Milvus est refait aussi."`         // the passages in Milvus
	Titles   bool `json:"titles" doc:"Meilisearch est refait."`            // the titles in Meilisearch
}

type reindexInput struct {
	Passages bool `json:"passages"`
	Titles   bool `json:"titles"`
}

// reindex serves POST /admin/reindex. It has the workers make the indexes again, beside those that serve meanwhile.
func (s *Handlers) reindex(c *fiber.Ctx, _ postgres.User, input reindexInput) (reply ReindexBody, _ error) {
	ctx, done := c.UserContext(), ReindexBody{Passages: input.Passages && s.Milvus, Titles: input.Titles && s.Meili}
	if input.Passages {
		var err error
		if done.Texts, err = s.DB.ReindexPassages(ctx); err != nil {
			return reply, err
		}
	}
	if done.Passages {
		if err := s.DB.PassageIndex().Remake(ctx); err != nil {
			return reply, err
		}
	}
	if done.Titles {
		if err := s.DB.TitleIndex().Remake(ctx); err != nil {
			return reply, err
		}
	}
	return done, nil
}
