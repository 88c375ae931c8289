package amend_test

import (
	"strings"
	"testing"

	"vigueur/internal/law/amend"
)

func TestWordingsLeaveOutWhatStays(t *testing.T) {
	t.Parallel()
	left := "Le juge tient le registre des ventes de sel.\nIl le signe à la fin de chaque année.\nLe greffier en garde une copie dans la commune.\nLe maire peut la lire."
	for name, c := range map[string]struct {
		wording, want string
		why           amend.Reason
	}{
		"the rest after a changed alinea": {"« Art. 5. - Le juge tient le registre des ventes de sel.\n« Il le signe à la fin de chaque mois.\n« (La suite sans modification.) »",
			"Le juge tient le registre des ventes de sel.\nIl le signe à la fin de chaque mois.\nLe greffier en garde une copie dans la commune.\nLe maire peut la lire.", ""},
		"dots within an alinea": {"« Art. 5. - Le juge …………… de sel.\n« Il le signe à la fin de chaque mois.\n« Le greffier en garde deux copies.\n« Le maire …………… lire. »",
			"Le juge tient le registre des ventes de sel.\nIl le signe à la fin de chaque mois.\nLe greffier en garde deux copies.\nLe maire peut la lire.", ""},
		"the rest after a new alinea":     {"« Art. 5. - Le sel est gris.\n« (La suite sans changement) »", "", amend.PlaceUnclear},
		"dots of no alinea":               {"« Art. 5. - Le juge …………… de blé. »", "", amend.PlaceUnclear},
		"dots for any number of alineas":  {"« Art. 5. - Le juge tient le registre.\n« ……………\n« Le maire peut la lire. »", "", amend.NotUnderstood},
		"a remark that is no known words": {"« Art. 5. - Le juge tient le registre (sans changement).\n« Le maire peut la lire. »", "", amend.NotUnderstood},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			act, o := parts("L'article 5 de la loi n° 7 du 3 mai 2010 est modifié comme suit :\n"+c.wording, "Fin.")
			r := amend.Apply(left, true, amend.Read(act, o))
			if r.Outcomes[0].Reason != c.why || c.why == "" && r.Text != c.want {
				t.Errorf("%+v\n%s", r.Outcomes, strings.ReplaceAll(r.Text, "\n", " ¶ "))
			}
		})
	}
}
