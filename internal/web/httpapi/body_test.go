package httpapi

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/web/httpapi/transport"
)

// All faults of a question together, with Pydantic's types.
func TestFaultsOfAQuestion(t *testing.T) {
	b := setup(t)
	long := strings.Repeat("é", questionLimit)
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"empty":                {"", []string{"missing body"}},
		"blank":                {" \n", []string{"missing body"}},
		"null":                 {"null", []string{"missing body"}},
		"array":                {"[]", []string{"dict_type body"}},
		"text":                 {`"question"`, []string{"dict_type body"}},
		"number":               {"5", []string{"dict_type body"}},
		"cut":                  {`{"question":`, []string{"json_invalid body.11"}},
		"two values":           {`{"question":"?"} x`, []string{"json_invalid body.17"}},
		"single quotes":        {`{'question':'?'}`, []string{"json_invalid body.1"}},
		"NaN":                  {`{"question":NaN}`, []string{"json_invalid body.12"}},
		"no UTF-8":             {"{\"question\":\"\xff\"}", []string{"json_invalid body.13"}},
		"nested too deep":      {`{"x":` + strings.Repeat("[", 10000) + strings.Repeat("]", 10000) + `}`, []string{"json_invalid body.10004"}},
		"no question":          {`{"Question":"?"}`, []string{"missing body.question"}},
		"null question":        {`{"question":null}`, []string{"string_type body.question"}},
		"number question":      {`{"question":1e400}`, []string{"string_type body.question"}},
		"list question":        {`{"question":["?"]}`, []string{"string_type body.question"}},
		"empty question":       {`{"question":""}`, []string{"string_too_short body.question"}},
		"blank question":       {`{"question":"\u00a0 \t"}`, []string{"string_too_short body.question"}},
		"unseen question":      {`{"question":"\u200b \u2060\u3164"}`, []string{"string_too_short body.question"}},
		"long question":        {`{"question":"` + long + `x"}`, []string{"string_too_long body.question"}},
		"NUL":                  {`{"question":"a\u0000b"}`, []string{"value_error body.question"}},
		"half a character":     {`{"question":"a\ud83d"}`, []string{"value_error body.question"}},
		"the last counts":      {`{"question":"?","question":7}`, []string{"string_type body.question"}},
		"filters":              {`{"question":"?","filters":[]}`, []string{"dict_type body.filters"}},
		"unknown model":        {`{"question":"?","model":"gpt"}`, []string{"enum body.model"}},
		"empty model":          {`{"question":"?","model":""}`, []string{"enum body.model"}},
		"model of no text":     {`{"question":"?","model":1}`, []string{"string_type body.model"}},
		"conversation":         {`{"question":"?","conversation_id":"x"}`, []string{"uuid_parsing body.conversation_id"}},
		"conversation in form": {`{"question":"?","conversation_id":"{0190b1c2-0000-7000-8000-000000000000}"}`, []string{"uuid_parsing body.conversation_id"}},
		"all at once": {`{"conversation_id":5,"filters":{"domaine":7,"doc_type":"Loi","statut":true,"date":"2024-02-30","document_id":""}}`, []string{
			"missing body.question", "uuid_parsing body.conversation_id", "string_type body.filters.domaine",
			"enum body.filters.doc_type", "enum body.filters.statut", "date_from_datetime_parsing body.filters.date", "uuid_parsing body.filters.document_id"}},
		"misspelled filters": {`{"question":"?","filters":{"dat":"2024-02-28","date":"2024-02-28","Statut":"abroge"}}`, []string{
			"extra_forbidden body.filters.Statut", "extra_forbidden body.filters.dat"}},
		"date with a time":     {`{"question":"?","filters":{"date":"2024-02-28T00:00:00Z"}}`, []string{"date_from_datetime_parsing body.filters.date"}},
		"year nought":          {`{"question":"?","filters":{"date":"0000-01-01"}}`, []string{"date_from_datetime_parsing body.filters.date"}},
		"country":              {`{"question":"?","filters":{"pays":"Bénin"}}`, []string{"value_error body.filters.pays"}},
		"country, in capitals": {`{"question":"?","filters":{"pays":"BJ"}}`, []string{"value_error body.filters.pays"}},
		"country, a number":    {`{"question":"?","filters":{"pays":5}}`, []string{"string_type body.filters.pays"}},
		"country of no name":   {`{"question":"?","filters":{"pays":"x-%,_"}}`, []string{"value_error body.filters.pays"}},
		"domain with NUL":      {`{"question":"?","filters":{"domaine":"a\u0000"}}`, []string{"value_error body.filters.domaine"}},
	} {
		t.Log(name)
		equal(t, name, found(t, b.do(t, "POST", askPath, c.body, "Content-Type", "application/json")), c.want)
	}
	for name, body := range map[string]string{
		"as long as may be":  `{"question":"  ` + long + `  "}`,
		"nested in unknown":  `{"question":"?","x":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`,
		"two halves":         `{"question":"\ud83d\ude00 \\ud83d"}`,
		"everything is null": `{"question":"?","conversation_id":null,"model":null,"filters":null}`,
		"an empty filter":    `{"question":"?","filters":{}}`,
	} {
		t.Log(name)
		_ = b.listen(t, "POST", askPath, body).Body.Close()
		b.hinted(t)
	}
}

// The tokens of a day are told, and refused with the time until they come back.
func TestTokensAreTold(t *testing.T) {
	b := setup(t, func(s *Server) {
		s.ModelTokens = 100
		s.Now = func() time.Time { return time.Now().UTC().Truncate(24 * time.Hour).Add(23 * time.Hour) }
	})
	body := func(model string) string { return `{"question":"Combien ?","model":"` + model + `"}` }
	l := b.listen(t, "POST", askPath, body("autre"))
	equal(t, "left", []string{l.Header.Get("RateLimit-Limit"), l.Header.Get("RateLimit-Remaining"), l.Header.Get("RateLimit-Reset")}, []string{"100", "100", "3600"})
	_ = l.Body.Close()
	for path, sent := range map[string]string{askPath: body("autre"), "/v1/chat/completions": `{"model":"autre","messages":[{"role":"user","content":"Combien ?"}]}`} {
		r := b.do(t, "POST", path, sent)
		equal(t, path, []any{r.status, r.header.Get("Retry-After"), strings.Contains(string(r.body), "minuit (UTC)")}, []any{http.StatusTooManyRequests, "3600", true})
	}
	_ = b.listen(t, "POST", askPath, body("extractif")).Body.Close()
}

// A name has something that is seen, and a title turns no direction of writing.
func TestNamesAreSeen(t *testing.T) {
	b := setup(t)
	conversation, _ := b.answered(t, "Combien ?", "Dix.")
	admin := b.as(t, "admin")
	for _, c := range []struct{ method, path, body, want string }{
		{"PATCH", "/me", `{"full_name":"\u200b\ufe0f"}`, "string_too_short body.full_name"},
		{"POST", "/admin/domaines", `{"code":"essai","label":"\u2800"}`, "string_too_short body.label"},
		{"POST", "/admin/keys", `{"name":"\ufeff","user_id":"` + b.user.ID.String() + `","scopes":["chat"]}`, "string_too_short body.name"},
		{"POST", "/admin/keys", `{"name":"a\u202eb","user_id":"` + b.user.ID.String() + `","scopes":["chat"]}`, "value_error body.name"},
		{"PATCH", "/conversations/" + conversation.String(), `{"title":"a\u202eb"}`, "value_error body.title"},
		{"PATCH", "/admin/documents/" + uuid.NewString(), `{"title":"a\u2067b","nature":"\u001b"}`, "value_error body.title, value_error body.nature"},
		{"POST", "/business/inquiry", `{"company":"a\u202eb","contact_name":"Awa","email":"a@b.example","use_case":"\u200b"}`, "value_error body.company, string_too_short body.use_case"},
	} {
		headers := admin
		if strings.HasPrefix(c.path, "/conversations") {
			headers = nil
		}
		equal(t, c.path, strings.Join(found(t, b.do(t, c.method, transport.Prefix+c.path, c.body, headers...)), ", "), c.want)
	}
	equal(t, "a mark of direction", b.do(t, "PATCH", transport.Prefix+"/conversations/"+conversation.String(), `{"title":"a\u200f\n b"}`).status, http.StatusOK)
}
