package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"vigueur/internal/ops/doctor"
)

func TestDoctor(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	if err := os.MkdirAll(strings.TrimPrefix(d.environ["VIGUEUR_BLOBS_URL"], "file://"), 0o700); err != nil {
		t.Fatal(err)
	}
	found := items[doctor.Finding](t, d.run(t, "doctor", "--json"))
	for _, f := range found {
		if f.State == doctor.Fail {
			t.Errorf("found %+v", f)
		}
	}
	d.run(t, "doctor").want(t, exitDone, "postgresql", "schéma à jour", "non vu")
	if len(found) < 10 || found[0].Area == "" || found[0].State == "" || found[0].Found == "" {
		t.Errorf("found %+v", found)
	}
	d.run(t, "doctor", "--timeout", "1ms").want(t, exitUsage, "--timeout va de 100ms à 10m.")
	d.environ["VIGUEUR_BLOBS_URL"] += "/absent"
	r := d.run(t, "doctor")
	r.want(t, exitFailed, "\npostgresql\n", "  échec ", "n’existe pas")
	if !regexp.MustCompile(`(?m)^ {13}→ Vérifiez qu’il est monté`).MatchString(r.out) {
		t.Errorf("what to do is not below what was found:\n%s", r.out)
	}
	delete(d.environ, "VIGUEUR_DATABASE_URL")
	d.run(t, "doctor").want(t, exitFailed, "VIGUEUR_DATABASE_URL : manque")
}

// TestDoctorOfTheCatalogue checks that what a person has to look at in the catalogue is told, by area.
func TestDoctorOfTheCatalogue(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	id := d.listed(t, "jo.pdf")
	d.run(t, "doctor", "--catalogue").want(t, exitDone, "1 textes : 1 sans pays, 0 titres à récrire, 0 où des numéros manquent", "pays\n", "Dites de quel pays")
	d.sql(t, "UPDATE documents SET title = 'Acte uniforme de l’OHADA portant organisation des sûretés' WHERE id = '"+id+"'")
	d.run(t, "doctor", "--catalogue").want(t, exitDone, "1 textes : 0 sans pays")
	d.sql(t, "UPDATE documents SET title = 'Règlement n° 5' WHERE id = '"+id+"'")
	d.sql(t, "UPDATE articles SET number = '', body = 'La Commission des Communautés européennes' WHERE document_id = '"+id+"' AND position = (SELECT min(position) FROM articles WHERE document_id = '"+id+"')")
	d.run(t, "doctor", "--catalogue").want(t, exitDone, "1 textes : 0 sans pays")
	d.sql(t, "UPDATE documents SET title = 'DIRECTEUR GENERAL sPillems', countries = '{bj}' WHERE id = '"+id+"'")
	d.sql(t, "UPDATE articles SET number = '7' WHERE document_id = '"+id+"' AND position = (SELECT max(position) FROM articles WHERE document_id = '"+id+"')")
	d.sql(t, "UPDATE ingestions SET error = 'Hors de tout texte : 98 % du fichier (p. 2–9).'")
	d.run(t, "doctor", "--catalogue").want(t, exitDone, "0 sans pays, 1 titres à récrire, 1 où des numéros manquent", "Hors de tout texte : 98 %", "Récrivez ce titre", "il manque")
}
