package httpapi

import (
	"net/http"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/store/chat"
	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/httpapi/transport"
)

// TestOwnCountry asks with an account that has a country: it narrows the questions that name
// none and depend on none that does.
func TestOwnCountry(t *testing.T) {
	b := setup(t)
	const me = transport.Prefix + "/me"
	set := func(body string) string {
		t.Helper()
		return decode[account.ProfileBody](t, b.do(t, "PATCH", me, body)).Country
	}
	equal(t, "at first", decode[account.ProfileBody](t, b.get(t, me)).Country, "")
	equal(t, "chosen", set(`{"pays":"bf"}`), "bf")
	equal(t, "another field", set(`{"full_name":"Awa"}`), "bf")
	equal(t, "null", set(`{"pays":null}`), "bf")
	for _, wrong := range []string{`"BF"`, `"zz"`, `"tous"`, `5`, `" "`} {
		equal(t, wrong, b.do(t, "PATCH", me, `{"pays":`+wrong+`}`).status, http.StatusUnprocessableEntity)
	}
	ask := func(conversation *uuid.UUID, question, filters string) (chat.Message, uuid.UUID) {
		t.Helper()
		body := `{"question":"` + question + `"`
		if conversation != nil {
			body += `,"conversation_id":"` + conversation.String() + `"`
		}
		l := b.listen(t, "POST", askPath, body+filters+"}")
		id := b.hinted(t)
		b.takeUp(t, id).write(chat.Done, "Oui.")
		_, last := l.rest(t)
		final := decode[struct{ Pays *string }](t, reply{body: []byte(last.data)})
		m, err := b.DB.Answer(t.Context(), b.user.ID, id)
		ok(t, err)
		if told := final.Pays; (told == nil) != (m.Filters.Country == "") || told != nil && *told != m.Filters.Country {
			t.Errorf("%s: the last event says %v", question, told)
		}
		return m, m.ConversationID
	}
	country := func(m chat.Message, _ uuid.UUID) string { return m.Filters.Country }
	first, conversation := ask(nil, "Combien dure le préavis d’un cadre ?", "")
	equal(t, "no country", country(first, conversation), "bf")
	equal(t, "what follows", country(ask(&conversation, "Et pour un ouvrier ?", "")), "bf")
	equal(t, "a country that is named", country(ask(nil, "Combien dure le préavis d’un cadre au Bénin ?", "")), "")
	_, abroad := ask(nil, "Quel est le préavis au Bénin ?", "")
	equal(t, "what depends on it", country(ask(&abroad, "Et pour un ouvrier ?", "")), "")
	equal(t, "what does not", country(ask(&abroad, "Combien d’années dure un mandat de maire élu ?", "")), "bf")
	equal(t, "another filter", country(ask(nil, "Combien dure le préavis d’un cadre ?", `,"filters":{"domaine":"travail"}`)), "bf")
	equal(t, "another country", country(ask(nil, "Combien dure le préavis d’un cadre ?", `,"filters":{"pays":"ml"}`)), "ml")
	equal(t, "every country", country(ask(nil, "Combien dure le préavis d’un cadre ?", `,"filters":{"pays":"tous"}`)), "")
	equal(t, "a text", country(ask(nil, "Combien dure le préavis ?", `,"filters":{"document_id":"`+uuid.NewString()+`"}`)), "")
	equal(t, "a greeting", country(ask(nil, "Bonjour !", "")), "")
	equal(t, "cleared", set(`{"pays":""}`), "")
	equal(t, "no country any more", country(ask(nil, "Combien dure le préavis d’un cadre ?", "")), "")
}
