package page

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// A program that knows nothing but the address of the tools finds out how to ask, registers, and
// sends a person to the page, who signs in and allows it, or not.
func TestAProgramAsksForAuthorization(t *testing.T) {
	v := atPage(t)
	came := make(chan *http.Request, 1)
	back := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprint(w, `<!doctype html><html lang=fr><link rel=icon href="data:,"><title>Retour</title><p>Le programme a sa réponse.`)
		if r.URL.Path == "/retour" {
			came <- r
		}
	}))
	t.Cleanup(back.Close)
	connect := func(decide func(url string) error) error {
		handler, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
			DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
				ClientName: "Assistant d’essai", RedirectURIs: []string{back.URL + "/retour"}, TokenEndpointAuthMethod: "none",
			}},
			AuthorizationCodeFetcher: func(_ context.Context, asked *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
				if err := decide(asked.URL); err != nil {
					return nil, err
				}
				q := (<-came).URL.Query()
				if refused := q.Get("error"); refused != "" {
					return nil, fmt.Errorf("told %s", refused)
				}
				return &auth.AuthorizationResult{Code: q.Get("code"), State: q.Get("state"), Iss: q.Get("iss")}, nil
			},
		})
		if err != nil {
			return err
		}
		program := mcp.NewClient(&mcp.Implementation{Name: "essai", Version: "1"}, nil)
		session, err := program.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: v.service.api.URL + "/mcp", OAuthHandler: handler, DisableStandaloneSSE: true}, nil)
		if err != nil {
			return err
		}
		defer session.Close()
		said, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "coverage", Arguments: map[string]any{}})
		if err == nil && said.IsError {
			err = fmt.Errorf("the tool failed: %+v", said.Content)
		}
		return err
	}
	path := func(url string) string { return strings.TrimPrefix(url, v.service.api.URL) }

	_, password := v.service.Account()
	asked := 0 // a program may ask again when it was refused
	err := connect(func(url string) error {
		must(t, v.Open(path(url)))
		if asked++; asked == 1 {
			must(t, v.Type(`input[name=email]`, v.reader()), v.Type(`input[name=password]`, password), v.Key("\r"))
		}
		return first(v.See("Assistant d’essai demande"), v.See(back.URL), v.Press("Refuser"), v.See("a sa réponse"))
	})
	if err == nil || !strings.Contains(err.Error(), "told access_denied") {
		t.Fatalf("refused: %v", err)
	}
	must(t, connect(func(url string) error {
		v.look(axe(t), []screen{{"autoriser", path(url), func(v *visit) error { return v.See("Assistant d’essai demande") }}})
		return first(v.Press("Autoriser"), v.See("a sa réponse"))
	}))
	must(t, v.Open("/compte"), v.See("Assistant d’essai"), v.Click(`.sessions button[aria-label^="Fermer la session de Assistant"]`), v.See("La session est fermée"))
	must(t, v.Open("/autoriser?client_id=x"), v.See("n’est pas enregistré ici"))
	v.blameless("400 (Bad Request)", "request to another host: "+back.URL)
}
