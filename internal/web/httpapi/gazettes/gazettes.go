// Package gazettes serves what editors do with gazettes: it takes files in, shows how they are
// read, and records reviews, corrections of lines, and decisions about relations and amendments.
package gazettes

import (
	"context"

	"github.com/google/uuid"

	"vigueur/internal/store/blobs"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/queue"
)

// Handlers serve the routes of editors. They must not be copied once they serve.
type Handlers struct {
	*guard.Guard

	Blobs       blobs.Store
	Images      *catalogue.Images
	Enqueue     func(ctx context.Context, kind queue.Kind, id uuid.UUID) error
	MostUploads int // gazettes that arrive at once; further ones are rejected

	uploads transport.Slots
}

// Routes registers the routes of the API.
func (s *Handlers) Routes(routes contract.Routes) {
	api := routes.Below(transport.Prefix).Tag("Administration du catalogue")
	editor := func(h contract.Handler) contract.Handler { return s.Role("editor", h) }

	api.Get("/admin/ingestions", "listIngestions", "Lister les fichiers", editor(contract.Do(s.listIngestions))).Scope("ingest")
	api.Get("/admin/ingestions/:id", "showIngestion", "Voir un fichier", editor(contract.Do(s.showIngestionOf))).Scope("ingest")
	api.Patch("/admin/ingestions/:id", "sayOfIngestion", "Dire ce qu’est un fichier", editor(contract.Do(s.sayOfIngestion))).Gives(202).Fails(409)
	api.Delete("/admin/ingestions/:id", "forgetIngestion", "Oublier un fichier", editor(contract.Do(s.forgetIngestion))).Fails(409)
	api.Post("/admin/ingestions/:id/retry", "retryIngestion", "Reprendre un fichier", editor(contract.Reading[retryInput](s.retryIngestion))).Gives(202).Fails(409).Optional().Scope("ingest")
	api.Post("/admin/ingestions/:id/cancel", "cancelIngestion", "Abandonner un fichier", editor(contract.Do(s.cancelIngestion))).Gives(202).Scope("ingest")
	api.Get("/admin/ingestions/:id/events", "followIngestion", "Suivre un fichier", editor(contract.Do(s.followIngestion))).Scope("ingest").Headers("Cache-Control", "X-Accel-Buffering").
		Events(map[string]any{"progress": IngestionBody{}, "final": IngestionBody{}, "error": contract.Error{}})
	api.Get("/admin/ingestion-events", "followIngestions", "Suivre tous les fichiers", editor(contract.Do(s.followIngestions))).Scope("ingest").Headers("Cache-Control", "X-Accel-Buffering").
		Events(map[string]any{"progress": IngestionBody{}, "error": contract.Error{}})
	api.Post("/admin/ingestions/:id/recut", "recutIngestion", "Découper de nouveau un fichier", editor(contract.Do(s.recutIngestion))).Gives(202).Fails(409)
	api.Get("/admin/ingestions/:id/pages", "listPages", "Lister les pages d’un fichier", editor(contract.Do(s.listPages)))
	api.Get("/admin/ingestions/:id/pages/:page.png", "showPage", "Voir une page", editor(contract.Do(s.pageImage))).Fails(304).Media("image/png").Headers("ETag", "Cache-Control", "X-Page-Width")
	api.Get("/admin/ingestions/:id/pages/:page/lines", "listLines", "Lister les lignes d’une page", editor(contract.Do(s.listLines)))
	api.Get("/admin/ingestions/:id/edits", "listEdits", "Lister les corrections d’un fichier", editor(contract.Do(s.listEdits)))
	api.Post("/admin/ingestions/:id/edits", "addEdit", "Corriger le découpage d’un fichier", editor(contract.Do(s.addEdit))).Gives(202).Fails(409)
	api.Delete("/admin/ingestions/:id/edits/:edit_id", "undoEdit", "Annuler une correction", editor(contract.Do(s.undoEdit))).Gives(202).Fails(409)

	api.Get("/admin/ingestions/:id/review", "listReviews", "Lister les textes à relire", editor(contract.Do(s.listReviews)))
	api.Post("/admin/ingestions/:id/review/:document_id", "review", "Relire un texte", editor(contract.Do(s.review))).Also(204, contract.None{}).Fails(409)
	api.Get("/admin/reviews/truth", "exportReviewed", "Exporter ce qui a été réglé des fichiers", editor(contract.Exports(contract.Do(s.exportReviewed)))).Headers("Content-Disposition")
	api.Get("/admin/reviews", "listAllReviews", "Lister tous les textes à relire", editor(contract.Do(s.listAllReviews)))
	api.Get("/admin/reviews/:document_id", "readReview", "Voir un texte à relire", editor(contract.Do(s.readReview))).Fails(404)
	api.Post("/admin/reviews", "decideReviews", "Régler plusieurs textes à relire", editor(contract.Do(s.decideReviews)))
	api.Get("/admin/editions", "listEditions", "Lister les textes remplacés", editor(contract.Do(s.listEditions)))
	api.Patch("/admin/documents/:id", "changeDocument", "Corriger un texte", editor(contract.Do(s.changeLegalDocument))).Fails(409)
	api.Delete("/admin/documents/:id", "deleteDocument", "Supprimer un texte", editor(contract.Do(s.deleteDocument)))
	api.Post("/admin/documents/:id/reindex", "reindexDocument", "Réindexer un texte", editor(contract.Do(s.reindexDocument))).Gives(202)

	api.Get("/admin/relations", "listUncertainRelations", "Lister les relations incertaines", editor(contract.Do(s.listUncertain)))
	api.Post("/admin/relations/:id", "settleRelation", "Régler une relation", editor(contract.Do(s.settleRelation))).Fails(409)
	api.Get("/admin/versions/waiting", "listWaitingAmendments", "Lister les modifications en attente", editor(contract.Do(s.listWaitingAmendments)))
	api.Post("/admin/versions/waiting/:id", "settleAmendment", "Régler une opération en attente", editor(contract.Do(s.settleAmendment))).Fails(409)
	api.Get("/admin/versions/decisions", "listAmendmentDecisions", "Lister les décisions sur des modifications", editor(contract.Do(s.listAmendmentDecisions)))
	api.Delete("/admin/versions/decisions/:id", "undoAmendmentDecision", "Annuler une décision", editor(contract.Do(s.undoAmendmentDecision)))
	api.Get("/admin/versions/acts", "listUndecidedActs", "Lister les actes aux ordres obscurs", editor(contract.Do(s.listUndecidedActs)))
	api.Post("/admin/versions/acts/:id", "setWithoutOrders", "Dire qu’un texte n’ordonne rien", editor(contract.Do(s.setWithoutOrders)))
	api.Delete("/admin/versions/acts/:id", "undoWithoutOrders", "Reprendre qu’un texte n’ordonne rien", editor(contract.Do(s.undoWithoutOrders)))
	api.Get("/admin/versions/truth", "exportOrders", "Exporter ce qui a été dit des ordres", editor(contract.Exports(contract.Do(s.exportTruth)))).Media("application/x-ndjson").Headers("Content-Disposition")
	api.Get("/admin/versions/missing", "listMissingTexts", "Lister les textes à chercher", editor(contract.Exports(contract.Do(s.listMissingTexts)))).Media("text/csv")
	api.Post("/admin/versions/rebuild", "rebuildVersions", "Refaire les versions de tous les textes", s.Role("admin", contract.Do(s.rebuildVersions)))
	api.Post("/admin/versions/rebuild/:id", "rebuildVersionsOf", "Refaire les versions d’un texte", editor(contract.Do(s.rebuildVersionsOf)))

	api.Post("/admin/documents", "addDocument", "Ajouter une gazette", editor(contract.Reading[addDocumentInput](s.addDocument))).Gives(202).
		FailsAs(409, KnownFile{}).TakesForm(uploadForm{}).Scope("ingest").Headers("Idempotency-Replayed")
	parts := []string{"Tus-Resumable", "Upload-Offset", "Upload-Length", "Upload-Expires"}
	api.Post("/admin/uploads", "beginUpload", "Annoncer une gazette qui arrive par parties", editor(tus(contract.Reading[beginUploadInput](s.beginUpload)))).Gives(201).
		FailsAs(409, KnownFile{}).Fails(412, 422).Scope("ingest").Headers(append(parts, "Location")...)
	api.Get("/admin/uploads/:id", "showUpload", "Demander ce qui est arrivé d’un fichier", editor(contract.Do(s.showUploadOf))).Scope("ingest").Headers(parts...)
	api.Patch("/admin/uploads/:id", "sendPart", "Envoyer une partie d’un fichier", editor(tus(contract.Do(s.takePart)))).
		FailsAs(409, KnownFile{}).Fails(412).Takes(partKind).Scope("ingest").Headers(parts...)
	api.Delete("/admin/uploads/:id", "dropUpload", "Oublier ce qui est arrivé d’un fichier", editor(tus(contract.Do(s.dropUpload)))).Fails(412).Scope("ingest").Headers("Tus-Resumable")
}
