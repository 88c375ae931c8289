// Package admin serves the administration: accounts, API keys, domains, the audit log, links and
// inquiries of everybody, figures, and the explanation of an answer.
package admin

import (
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/guard"
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
	api.Get("/admin/audit", "listAudit", "Lire le journal des actions", s.Role("admin", contract.Do(s.listAudit))).Media("text/csv").Headers("Content-Disposition")
	api.Get("/admin/answers/:id/why", "explainAnswer", "Voir pourquoi une réponse est ce qu’elle est", s.Role("editor", s.Audited(postgres.AnswerExplained, contract.Do(s.explainAnswer))))
	api = api.Tag("Administration du catalogue")
	api.Get("/admin/names", "listTextNames", "Lister les noms courts donnés aux textes", s.Role("editor", contract.Do(s.listTextNames)))
	api.Post("/admin/names", "nameText", "Donner un nom court à un texte", s.Role("editor", contract.Do(s.nameText))).Gives(201).Fails(409)
	api.Delete("/admin/names/:id", "unnameText", "Retirer un nom court", s.Role("editor", contract.Do(s.unnameText)))
	api = api.Tag("Administration du service")
	api.Get("/admin/rated", "listRated", "Exporter les questions dont la réponse a reçu un avis", s.Role("admin", contract.Do(s.listRated)))
	api.Post("/admin/reindex", "reindex", "Faire refaire les index", s.Role("admin", contract.Do(s.reindex))).Gives(202)
	api.Get("/admin/queues", "listQueues", "Voir le travail en attente", s.Role("editor", contract.Do(s.listQueues)))
	api.Get("/admin/questions", "listUncertainQuestions", "Lister les questions sans réponse sûre", s.Role("editor", s.Audited(postgres.QuestionsRead, contract.Do(s.listUncertainQuestions))))
	api.Get("/admin/waiting", "countWaiting", "Compter ce qui attend une personne", s.Role("editor", contract.Do(s.countWaiting)))
	api.Get("/admin/stats", "listStats", "Voir les chiffres par jour", s.Role("editor", contract.Do(s.listStats)))
	api.Get("/admin/inquiries", "listInquiries", "Lister les demandes de rendez-vous", s.Role("admin", s.Audited(postgres.InquiriesRead, contract.Do(s.listInquiries))))
	api.Patch("/admin/inquiries/:id", "changeInquiry", "Noter la suite d’une demande", s.Role("admin", contract.Do(s.changeInquiry)))
}
