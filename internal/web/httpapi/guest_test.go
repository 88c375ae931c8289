package httpapi

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/httpapi/conversations"
	"vigueur/internal/web/httpapi/public"
	"vigueur/internal/web/httpapi/transport"
)

const guestPath = transport.Prefix + "/guest/questions"

// asksAsGuest asks a question without an account, with the cookie of an earlier answer or none, and has it answered.
func (b *bundle) asksAsGuest(t *testing.T, body, cookie string) (reply, uuid.UUID) {
	t.Helper()
	replies := make(chan reply, 1)
	go func() { replies <- b.do(t, "POST", guestPath, body, "Authorization", "", "Cookie", cookie) }()
	id := b.answerNext(t, postgres.Outcome{State: chat.Done, Content: "Dix jours.", ChunkEnds: []int{len("Dix jours.")}, Model: "extractif"})
	return <-replies, id
}

func guests(limit int) func(*Server) {
	return func(s *Server) {
		s.Public = public.New(false, searches(s, 100))
		s.GuestQuestions = &ratelimit.Limiter{Store: s.Inquiries.Store, Name: "guest-questions" + uuid.NewString(), Limit: limit, Window: 24 * time.Hour}
	}
}

// TestGuestsAsk: so many questions a browser, each of which nobody can read again.
func TestGuestsAsk(t *testing.T) {
	b := setup(t, guests(2))
	r, id := b.asksAsGuest(t, `{"question":"Combien de jours ?","filters":{"pays":"bf"}}`, "")
	equal(t, "status", r.status, http.StatusOK)
	r.has(t, "event: final", `"Dix jours."`, id.String())
	equal(t, "left", r.header.Get("RateLimit-Remaining"), "1")

	cookie, _, _ := strings.Cut(r.header.Get("Set-Cookie"), ";")
	if !strings.HasPrefix(cookie, "vigueur_guest=") || !strings.Contains(r.header.Get("Set-Cookie"), "HttpOnly") {
		t.Errorf("the cookie is %q", r.header.Get("Set-Cookie"))
	}
	m, err := b.DB.GuestAnswer(t.Context(), id)
	ok(t, err)
	equal(t, "asked of", []string{m.Filters.Country, *m.Model}, []string{"bf", "extractif"})
	wantDetail(t, b.get(t, transport.Prefix+"/chat-rag/stream/"+id.String()), http.StatusNotFound)
	wantDetail(t, b.get(t, conversationsPath+"/"+m.ConversationID.String()), http.StatusNotFound)
	equal(t, "in the list of an account", len(decode[struct {
		Items []conversations.ConversationBody
	}](t, b.get(t, conversationsPath)).Items), 0)
	equal(t, "resumed without an account", b.do(t, "GET", transport.Prefix+"/chat-rag/stream/"+id.String(), "", "Authorization", "").status, http.StatusUnauthorized)
	equal(t, "continued by an account", b.do(t, "POST", transport.Prefix+"/chat-rag/stream", `{"question":"Et après ?","conversation_id":"`+m.ConversationID.String()+`"}`).status, http.StatusNotFound)

	wantDetail(t, b.do(t, "POST", guestPath, `{"question":"Combien ?"}`), http.StatusConflict) // with an account
	r, _ = b.asksAsGuest(t, `{"question":"Et encore ?"}`, cookie)
	equal(t, "left", r.header.Get("RateLimit-Remaining"), "0")
	refused := b.do(t, "POST", guestPath, `{"question":"Et toujours ?"}`, "Authorization", "", "Cookie", cookie)
	equal(t, "one too many", refused.status, http.StatusTooManyRequests)
	if refused.header.Get("Retry-After") == "" {
		t.Error("a guest is not told when to come back")
	}
	r, _ = b.asksAsGuest(t, `{"question":"Et d’un autre téléphone ?"}`, "vigueur_guest=x")
	equal(t, "left to another browser of the network", r.header.Get("RateLimit-Remaining"), "1")
	equal(t, "told to the page", decode[struct {
		Guests int `json:"guest_questions"`
	}](t, b.do(t, "GET", transport.Prefix+"/auth/methods", "", "Authorization", "")).Guests, 2)
}

// TestFaultsOfGuestsCount like questions, because reading them takes time.
func TestFaultsOfGuestsCount(t *testing.T) {
	b := setup(t, guests(5))
	cookie := "vigueur_guest=" + uuid.NewString()
	for body, status := range map[string]int{`{"question":" "}`: 422, `{"question":"` + strings.Repeat("a", 4001) + `"}`: 422, `{`: 422,
		`{"question":"Combien ?","conversation_id":"` + uuid.NewString() + `"}`: 422, `{"question":"Combien ?","model":"gpt"}`: 422} {
		equal(t, body[:min(60, len(body))], b.do(t, "POST", guestPath, body, "Authorization", "", "Cookie", cookie).status, status)
	}
	for range 50 { // a page of another site uses up nothing
		for _, headers := range [][]string{{"Content-Type", "text/plain"}, {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Dest", "document"}} {
			r := b.do(t, "POST", guestPath, `{"question":"Combien ?"}`, append(headers, "Authorization", "")...)
			equal(t, "of another site", r.status == http.StatusUnsupportedMediaType || r.status == http.StatusForbidden, true)
		}
	}
	equal(t, "of another browser", b.do(t, "POST", guestPath, `{"question":" "}`, "Authorization", "").status, 422)
	equal(t, "after five faults", b.do(t, "POST", guestPath, `{"question":"Combien ?"}`, "Authorization", "", "Cookie", cookie).status, http.StatusTooManyRequests)
}

// TestGuestsAreClosedOut where the operator has not allowed it.
func TestGuestsAreClosedOut(t *testing.T) {
	b := setup(t, withPublic)
	wantDetail(t, b.do(t, "POST", guestPath, `{"question":"Combien ?"}`, "Authorization", ""), http.StatusUnauthorized)
}

// TestGuestsAtOnce: the limit of a network, eight times that of a browser, is exact however many ask at the
// same moment, and whoever sends no cookie is bounded by it.
func TestGuestsAtOnce(t *testing.T) {
	b := setup(t, guests(1))
	statuses := make(chan int)
	for range 12 {
		go func() {
			statuses <- b.do(t, "POST", guestPath, `{"question":"Combien ?"}`, "Authorization", "").status
		}()
	}
	for range 8 {
		b.answerNext(t, postgres.Outcome{State: chat.Done, Content: "Dix jours.", ChunkEnds: []int{len("Dix jours.")}, Model: "extractif"})
	}
	accepted := 0
	for range 12 {
		if <-statuses == http.StatusOK {
			accepted++
		}
	}
	equal(t, "accepted of twelve at once", accepted, 8)
}

// TestATextByItsID leads to its public address, and to the article.
func TestATextByItsID(t *testing.T) {
	b := setup(t, withPublic)
	salt, waiting := newText("Loi sur le sel", "2024-05-02"), uuid.NewString()
	b.addTexts(t, salt)
	r := b.guest(t, "/akn/texte/"+salt.Document.ID.String()+"?article=1er")
	equal(t, "to", []any{r.status, r.header.Get("Location")}, []any{http.StatusFound, b.Base() + "/akn/xx/act/loi/2024-05-02/2024-01#art_1er"})
	for _, none := range []string{waiting, "x", "%00"} {
		equal(t, none, b.guest(t, "/akn/texte/"+none).status, http.StatusNotFound)
	}
}
