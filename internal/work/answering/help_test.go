package answering

import (
	"testing"

	"vigueur/internal/answer/refer"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law/country"
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
