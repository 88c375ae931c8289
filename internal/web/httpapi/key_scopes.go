package httpapi

// keyScopes are the routes that an API key may call, with the scope that each requires. It
// is an allow list: a key can call no other route, even if its owner can. Accounts, keys
// and the audit log are not among them.
var keyScopes = map[string]string{
	"POST /chat-rag/stream":                    "chat",
	"GET /chat-rag/stream/:message_id":         "chat",
	"POST /chat-rag/stream/:message_id/cancel": "chat",
	"GET /models":                              "chat",
	"POST /messages/:id/feedback":              "chat",
	"GET /conversations":                       "chat",
	"GET /conversations/:id":                   "chat",
	"PATCH /conversations/:id":                 "chat",
	"DELETE /conversations/:id":                "chat",
	"GET /conversations/:id/export":            "chat",

	"GET /documents":                                     "documents",
	"GET /documents/:id":                                 "documents",
	"GET /documents/:id/details":                         "documents",
	"GET /documents/:id/export":                          "documents",
	"GET /documents/:id/articles":                        "documents",
	"GET /documents/:id/articles/:article_id":            "documents",
	"GET /documents/:id/articles/:article_id/versions":   "documents",
	"GET /documents/:id/versions":                        "documents",
	"GET /documents/:id/articles/:article_id/references": "documents",
	"GET /documents/:id/articles/:article_id/cited-by":   "documents",
	"GET /documents/:id/articles/:article_id/diff":       "documents",
	"GET /documents/:id/days":                            "documents",
	"GET /documents/:id/relations":                       "documents",
	"GET /examples":                                      "documents",
	"GET /search":                                        "documents",
	"POST /verify":                                       "documents",
	"GET /titles":                                        "documents",

	"POST /v1/chat/completions": "chat",
	"GET /v1/models":            "chat",

	"POST /mcp": "mcp",

	"POST /admin/documents":             "ingest",
	"POST /admin/uploads":               "ingest",
	"GET /admin/uploads/:id":            "ingest",
	"PATCH /admin/uploads/:id":          "ingest",
	"DELETE /admin/uploads/:id":         "ingest",
	"GET /admin/ingestion-events":       "ingest",
	"GET /admin/ingestions":             "ingest",
	"GET /admin/ingestions/:id":         "ingest",
	"GET /admin/ingestions/:id/events":  "ingest",
	"POST /admin/ingestions/:id/retry":  "ingest",
	"POST /admin/ingestions/:id/cancel": "ingest",
}
