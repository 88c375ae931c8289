// Package gazettes serves what editors do with gazettes: it takes files in, shows how they are
// read, and records reviews, corrections of lines, and decisions about relations and amendments.
package gazettes

import (
	"context"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/store/blobs"
	"vigueur/internal/web/httpapi/catalogue"
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

	uploads transport.Uploads
}

// Routes registers the routes, those of the API below api.
func (s *Handlers) Routes(app, api fiber.Router) {
	api.Get("/admin/ingestions", s.RequireRole("editor", s.listIngestions))
	api.Get("/admin/ingestions/:id", s.RequireRole("editor", s.ofFile(s.showIngestionOf)))
	api.Patch("/admin/ingestions/:id", s.RequireRole("editor", s.ofFile(s.sayOfIngestion)))
	api.Delete("/admin/ingestions/:id", s.RequireRole("editor", s.ofFile(s.forgetIngestion)))
	api.Post("/admin/ingestions/:id/retry", s.RequireRole("editor", s.ofFile(s.retryIngestion)))
	api.Post("/admin/ingestions/:id/cancel", s.RequireRole("editor", s.ofFile(s.cancelIngestion)))
	api.Get("/admin/ingestions/:id/events", s.RequireRole("editor", s.ofFile(s.followIngestion)))
	api.Get("/admin/ingestion-events", s.RequireRole("editor", s.followIngestions))
	api.Get("/admin/ingestions/:id/review", s.RequireRole("editor", s.ofFile(s.listReviews)))
	api.Post("/admin/ingestions/:id/review/:document_id", s.RequireRole("editor", guard.ByID(s.review)))
	api.Post("/admin/ingestions/:id/recut", s.RequireRole("editor", s.ofFile(s.recutIngestion)))
	api.Get("/admin/ingestions/:id/pages/:page.png", s.RequireRole("editor", s.pageImage))
	api.Get("/admin/ingestions/:id/pages/:page/lines", s.RequireRole("editor", s.listLines))
	api.Get("/admin/ingestions/:id/edits", s.RequireRole("editor", s.ofFile(s.listEdits)))
	api.Post("/admin/ingestions/:id/edits", s.RequireRole("editor", s.ofFile(s.addEdit)))
	api.Delete("/admin/ingestions/:id/edits/:edit_id", s.RequireRole("editor", s.ofFile(s.undoEdit)))
	api.Get("/admin/reviews/truth", s.RequireRole("editor", s.exportReviewed))
	api.Get("/admin/editions", s.RequireRole("editor", s.listEditions))
	api.Get("/admin/reviews", s.RequireRole("editor", s.listAllReviews))
	api.Get("/admin/reviews/:document_id", s.RequireRole("editor", s.readReview))
	api.Post("/admin/reviews", s.RequireRole("editor", s.decideReviews))
	api.Get("/admin/relations", s.RequireRole("editor", s.listUncertain))
	api.Post("/admin/relations/:id", s.RequireRole("editor", guard.ByID(s.settleRelation)))
	api.Get("/admin/versions/waiting", s.RequireRole("editor", s.listWaitingAmendments))
	api.Get("/admin/versions/acts", s.RequireRole("editor", s.listUndecidedActs))
	api.Post("/admin/versions/acts/:id", s.RequireRole("editor", s.setWithoutOrders))
	api.Delete("/admin/versions/acts/:id", s.RequireRole("editor", s.undoWithoutOrders))
	api.Get("/admin/versions/truth", s.RequireRole("editor", s.exportTruth))
	api.Get("/admin/versions/missing", s.RequireRole("editor", s.listMissingTexts))
	api.Get("/admin/versions/decisions", s.RequireRole("editor", s.listAmendmentDecisions))
	api.Delete("/admin/versions/decisions/:id", s.RequireRole("editor", guard.ByID(s.undoAmendmentDecision)))
	api.Post("/admin/versions/waiting/:id", s.RequireRole("editor", guard.ByID(s.settleAmendment)))
	api.Post("/admin/versions/rebuild", s.RequireRole("admin", s.rebuildVersions))
	api.Post("/admin/versions/rebuild/:id", s.RequireRole("editor", guard.ByID(s.rebuildVersionsOf)))
	api.Post("/admin/documents", s.RequireRole("editor", s.addDocument))
	api.Post("/admin/uploads", s.RequireRole("editor", tus(s.beginUpload)))
	api.Get("/admin/uploads/:id", s.RequireRole("editor", s.showUploadOf))
	api.Patch("/admin/uploads/:id", s.RequireRole("editor", tus(s.takePart)))
	api.Delete("/admin/uploads/:id", s.RequireRole("editor", tus(s.dropUpload)))
	api.Patch("/admin/documents/:id", s.RequireRole("editor", guard.ByID(s.changeLegalDocument)))
	api.Delete("/admin/documents/:id", s.RequireRole("editor", guard.ByID(s.deleteDocument)))
	api.Post("/admin/documents/:id/reindex", s.RequireRole("editor", guard.ByID(s.reindexDocument)))
}
