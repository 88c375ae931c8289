package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/conversations"
	"vigueur/internal/web/httpapi/public"
	"vigueur/internal/web/httpapi/transport"
)

const readSharedPath = transport.Prefix + "/shared/"

// citing adds a conversation whose answer cites a text, and shares it. It returns the token.
func (b *bundle) citing(t *testing.T, document uuid.UUID, title string) (conversation uuid.UUID, token string) {
	t.Helper()
	conversation, message, err := b.DB.CreateTurn(t.Context(), postgres.NewTurn{UserID: b.user.ID, Question: "Quel préavis ?", Filters: law.Filters{Country: "bf"}, Model: "extractif"})
	ok(t, err)
	work := b.takeUp(t, message)
	_, err = b.DB.FinishAnswer(t.Context(), message, work.Attempt, postgres.Outcome{State: chat.Done, Content: "Un mois [1].", ChunkEnds: []int{12}, Model: work.Model,
		Validation: chat.Validation{OK: true},
		Certainty:  &chat.Certainty{Grade: chat.Sure, Probability: .97},
		Citations:  []law.Citation{{Index: 1, DocumentID: document, Title: title, DocType: law.Code, Status: law.InForce, Excerpt: "Un mois.", URL: "/x", Regions: []law.Region{}, Relations: []law.RelationRef{}}}})
	ok(t, err)
	rated := b.do(t, "POST", messagesPath(message)+"/feedback", `{"rating":"down","comment":"Secret"}`)
	equal(t, "rated", rated.status, http.StatusNoContent)
	made := b.do(t, "POST", conversationsPath+"/"+conversation.String()+"/link", "")
	equal(t, "shared", made.status, http.StatusCreated)
	link := decode[conversations.NewLinkBody](t, made)
	address, token, found := strings.Cut(link.URL, "#jeton=")
	if address != b.Base()+conversations.SharedPath || !found || len(token) < 22 || link.Questions != 1 || link.CreatedAt == nil {
		t.Fatalf("link %+v", link)
	}
	return conversation, token
}

func messagesPath(id uuid.UUID) string { return transport.Prefix + "/messages/" + id.String() }

// TestSharedConversation reads a conversation by its link: with any account, by nobody else
// unless the catalogue is public, and not after it was withdrawn.
func TestSharedConversation(t *testing.T) {
	b := setup(t)
	conversation, token := b.citing(t, uuid.New(), "Loi sur le préavis")
	path := conversationsPath + "/" + conversation.String()
	stranger := []string{"Authorization", "Bearer " + b.tokenOf(t, b.addUser(t, "eve@example.org"))}
	r := b.do(t, "GET", readSharedPath+token, "", stranger...)
	equal(t, "headers", []any{r.status, r.header.Get("Cache-Control"), r.header.Get("X-Robots-Tag"), r.header.Get("Referrer-Policy"), r.header.Get("ETag")},
		[]any{http.StatusOK, "no-store", "noindex", "no-referrer", ""})
	shared := decode[conversations.SharedBody](t, r)
	if len(shared.Turns) != 1 {
		t.Fatalf("%s", r.body)
	}
	turn := shared.Turns[0]
	equal(t, "turn", []any{turn.Question, turn.Answer, *turn.Country, *turn.Certainty, turn.Citations[0].Title, turn.Citations[0].Address == nil, turn.Reserved},
		[]any{"Quel préavis ?", "Un mois [1].", "bf", chat.Sure, "Loi sur le préavis", true, false})
	for _, private := range []string{b.user.ID.String(), b.user.Email, b.user.FullName, conversation.String(), "Secret", "rating", "down"} {
		if strings.Contains(string(r.body), private) {
			t.Errorf("%q is in %s", private, r.body)
		}
	}
	if line := b.log.await(t, `"route":"/api/v1/shared/:token"`, `"status":200`); strings.Contains(line, token) {
		t.Errorf("the token is in the log: %s", line)
	}

	// Without an account the token is not even looked at.
	for _, any := range []string{token, "x"} {
		wantDetail(t, b.do(t, "GET", readSharedPath+any, "", "Authorization", ""), http.StatusUnauthorized)
	}
	state := decode[conversations.LinkBody](t, b.get(t, path+"/link"))
	equal(t, "state", []any{state.CreatedAt != nil, state.Questions}, []any{true, 1})
	if own := string(b.get(t, transport.Prefix+"/me/export").body); !strings.Contains(own, `"last_position":1`) || strings.Contains(own, token) {
		t.Errorf("own data: %s", own)
	}

	equal(t, "withdrawn", b.do(t, "DELETE", path+"/link", "").status, http.StatusNoContent)
	equal(t, "withdrawn twice", b.do(t, "DELETE", path+"/link", "").status, http.StatusNotFound)
	detail := wantDetail(t, b.do(t, "GET", readSharedPath+token, "", stranger...), http.StatusNotFound)
	for _, none := range []string{"x", strings.Repeat("a", 43), strings.Repeat("%C3%A9", 200), "%00", "%ff"} {
		equal(t, none, wantDetail(t, b.do(t, "GET", readSharedPath+none, "", stranger...), http.StatusNotFound), detail)
	}
	state = decode[conversations.LinkBody](t, b.get(t, path+"/link"))
	equal(t, "state", []any{state.CreatedAt, state.Questions}, []any{(*string)(nil), 0})
}

// TestSharedWithGuests reads a conversation without an account where the catalogue is public.
func TestSharedWithGuests(t *testing.T) {
	b := setup(t, func(s *Server) {
		few := searches(s, 4)
		few.Name += uuid.NewString()
		s.Public = public.New(true, few)
	})
	law, named := newText("Loi sur le sel", "2024-05-02"), newText("Décret portant nomination de Madame Kaboré", "2024-05-03")
	b.addTexts(t, law, named)
	_, token := b.citing(t, law.Document.ID, law.Document.Title)
	r := b.guest(t, readSharedPath+token)
	turn := decode[conversations.SharedBody](t, r).Turns[0]
	equal(t, "address", *turn.Citations[0].Address, b.Base()+"/akn/xx/act/loi/2024-05-02/2024-01")
	equal(t, "read in the catalogue", b.guest(t, strings.TrimPrefix(*turn.Citations[0].Address, b.Base())).status, http.StatusPermanentRedirect)

	// An answer about a person is left out where the operator keeps such texts from guests.
	_, token = b.citing(t, named.Document.ID, named.Document.Title)
	r = b.guest(t, readSharedPath+token)
	if turn := decode[conversations.SharedBody](t, r).Turns[0]; !turn.Reserved || turn.Answer != "" || strings.Contains(string(r.body), "Kaboré") {
		t.Errorf("%s", r.body)
	}
	if turn := decode[conversations.SharedBody](t, b.get(t, readSharedPath+token)).Turns[0]; turn.Reserved || turn.Answer != "Un mois [1]." || turn.Citations[0].Address != nil {
		t.Errorf("with an account: %+v", turn)
	}
	equal(t, "a wrong session is none", b.guest(t, readSharedPath+token, "Authorization", "Bearer x").status, http.StatusUnauthorized)
	equal(t, "unknown", b.guest(t, readSharedPath+"x").status, http.StatusNotFound)
	equal(t, "unknown again", b.guest(t, readSharedPath+"x").status, http.StatusNotFound)
	equal(t, "too many", b.guest(t, readSharedPath+token).status, http.StatusTooManyRequests)
}
