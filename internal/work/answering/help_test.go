package answering

import (
	"cmp"
	"testing"

	"vigueur/internal/answer/llm"
	"vigueur/internal/answer/refer"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law/country"
	"vigueur/internal/search/decide"
	"vigueur/internal/search/question"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/store/chat"
)

func TestEarlierTurnsCarryAnswers(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		modelDown.alone + quoting + "« Trois mois. » [1]":                        "« Trois mois. » [1]",
		"Trois mois [1]." + "\n\n" + unsupported.after + quoting + "« Un. » [2]": "Trois mois [1].\n\n« Un. » [2]",
		"Trois mois [1].": "Trois mois [1].",
	} {
		if got := answerAlone(chat.Message{Content: content}); got != want {
			t.Errorf("%q: %q", content, got)
		}
	}
	if got := answerAlone(chat.Message{Content: "Je n’ai rien trouvé.", Certainty: &chat.Certainty{Grade: chat.Refused}}); got != "" {
		t.Errorf("of a refusal: %q", got)
	}
}

// Search, check and the model's own judgement make the certainty of what a model wrote together.
func TestCertaintyOfModels(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		p                    float64
		grade                decide.Grade
		doubted, left, again bool
		why                  decide.Reason
		want                 decide.Grade
	}{
		"unsure, answered and held":        {p: 0.4, grade: decide.Unsure, want: decide.Likely},
		"unlikely, answered and held":      {p: 0.2, grade: decide.Refused, want: decide.Unsure},
		"likely, answered and held":        {p: 0.85, grade: decide.Likely, want: decide.Sure},
		"sure, with a warning":             {p: 0.9, grade: decide.Sure, doubted: true, want: decide.Likely},
		"likely, without a sentence":       {p: 0.5, grade: decide.Likely, left: true, want: decide.Unsure},
		"likely, of a question said again": {p: 0.95, grade: decide.Likely, again: true, want: decide.Likely},
		"another country":                  {p: 0.9, grade: decide.Refused, why: decide.OtherCountry, want: decide.Unsure},
	} {
		j := &job{AnswerWriter: &AnswerWriter{Fallback: "f", Models: map[string]llm.Generator{"f": nil}}, doubted: c.doubted, again: c.again}
		j.Model = "m"
		if c.left {
			j.left = 1
		}
		v := decide.Verdict{Grade: c.grade, Probability: c.p, Why: cmp.Or(c.why, decide.ByEvidence)}
		if got := j.written(v.AtLeastUnsure()); got.Grade != c.want {
			t.Errorf("%s: %v with %.2f, want %v", name, got.Grade, got.Probability, c.want)
		}
		if j.Model = "f"; j.written(v) != v {
			t.Errorf("%s: moved without a model", name)
		}
	}
}

func TestHelpLead(t *testing.T) {
	t.Parallel()
	help, err := ReadHelp("sn: Appelez le 116. | ci: Appelez le 1308.")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"Mon mari me frappe, que faire au Sénégal ?": noHelpLine + " Appelez le 116.\n\n",
		"Mon mari me frappe, que faire au Togo ?":    noHelpLine + "\n\n",
		"Mon mari me frappe, que faire ?":            noHelpLine + "\n\n", // two countries have a text
		"Quel est le préavis au Sénégal ?":           "",
	} {
		asked := question.Read(text, question.Conversation{})
		j := &job{AnswerWriter: &AnswerWriter{Help: help}, looked: refer.Found{Result: retrieve.Result{Asked: &asked}}}
		if got := j.helpLead(); got != want {
			t.Errorf("%s: %q", text, got)
		}
		j.Help = map[country.Code]string{"sn": "Appelez le 116."}
		if got := j.helpLead(); text == "Mon mari me frappe, que faire ?" && got != noHelpLine+" Appelez le 116.\n\n" {
			t.Errorf("%s, with one country: %q", text, got)
		}
	}
	for _, bad := range []string{"zz: Appelez", "Appelez le 116", "sn:"} {
		if _, err := ReadHelp(bad); !errs.Is(err, errs.Invalid) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if none, err := ReadHelp(""); err != nil || len(none) != 0 {
		t.Errorf("%v, %v", none, err)
	}
}
