package titles

import (
	"testing"
	"time"
)

// TestNames checks how titles in many forms are read.
func TestNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ words, nature, author, number, date, object string }{
		{"Loi n° 2016-48 du 11 juillet 2016, relative aux banques", "Loi", "", "2016-48", "2016-07-11", ", relative aux banques"},
		{"LOI N° 96/06 DU 18 JANVIER 1996 PORTANT RÉVISION", "Loi", "", "96/06", "1996-01-18", "PORTANT RÉVISION"},
		{"LOI No37/2016 DU 08/09/2016 DÉTERMINANT LE PRIX", "Loi", "", "37/2016", "2016-09-08", "DÉTERMINANT LE PRIX"},
		{"Arrêté du 8 octobre 2025, portant nomination", "Arrêté", "", "", "2025-10-08", ", portant nomination"},
		{"Par arrêté du ministre du sel du 8 octobre 2025.", "Arrêté", "du ministre du sel", "", "2025-10-08", "."},
		{"Par décret gouvernemental n° 2017-317 du 1er mars 2017.", "Décret gouvernemental", "", "2017-317", "2017-03-01", "."},
		{"Décret présidentiel du 12 Rabie Ethani 1437 correspondant au 22 janvier 2016 portant nomination", "Décret présidentiel", "", "", "2016-01-22", "portant nomination"},
		{"Dahir n° 1-04-22 du 12 hija 1424 (3 février 2004) portant promulgation", "Dahir", "", "1-04-22", "2004-02-03", "portant promulgation"},
		{"Arrêté n° 18652 M.I.T. en date du 21 décembre 1965", "Arrêté", "", "18652M.I.T", "1965-12-21", ""},
		{"ARRÊTÉ N° 7097 M.I.T. DU 14 NOVEMBRE 1993 PORTANT STATUT", "Arrêté", "", "7097M.I.T", "1993-11-14", "PORTANT STATUT"},
		{"Par décision N° 1078 M.I.T. DU 1er octobre 1993", "Décision", "", "1078M.I.T", "1993-10-01", ""},
		{"ARRÊTÉ N° 1234 MEF/DGI DU 4 MAI 1988 FIXANT", "Arrêté", "", "1234MEF/DGI", "1988-05-04", "FIXANT"},
		{"ARRÊTÉ N° 1234 DU MINISTRE DU SEL DU 4 MAI 1988 FIXANT", "Arrêté", "DU MINISTRE DU SEL", "1234", "1988-05-04", "FIXANT"},
		{"ARRÊTÉ N° 1234 DU 4 MAI 1988 FIXANT", "Arrêté", "", "1234", "1988-05-04", "FIXANT"},
		{"Loi n° 12 portant ratification de l'accord signé le 30 mars 2016", "Loi", "", "12", "", "portant ratification de l'accord signé le 30 mars 2016"},
		{"LOI 61-33 DU 15 JUIN 1961 relative au sel", "Loi", "", "61-33", "1961-06-15", "relative au sel"},
		{"ARRETE DU TE\" FIXANT LA CONSISTANCE", "Arrêté", "DU TE\"", "", "", "FIXANT LA CONSISTANCE"},
		{"Decrer n° 2016/375 du 4 août 2016 fixant", "Décret", "", "2016/375", "2016-08-04", "fixant"},
		{"Lois organiques n° 12-05 du 12 janvier 2012 relatives", "Loi organique", "", "12-05", "2012-01-12", "relatives"},
		{"Par arrêté du 23 novembre 2013 est agréée la saline sise route du port, n° 8, Villebourg", "Arrêté", "", "", "2013-11-23", "est agréée la saline sise route du port, n° 8, Villebourg"},
		{"Décision du 12 mars 2001 (n° 15) relative au sel", "Décision", "", "15", "2001-03-12", "relative au sel"},
		{"Avis d'appel d'offres ouvert n° 68/1995. Les offres doivent parvenir avant le 7 septembre 1992", "Avis d'appel", "", "68/1995", "", ". Les offres doivent parvenir avant le 7 septembre 1992"},
		{"Avis. La saline n° 7 est vendue le 2 mai 1992", "Avis", "", "", "", ". La saline n° 7 est vendue le 2 mai 1992"},
		{"Décret n° 93-28. du 12 juin 1993 relatif au sel", "Décret", "", "93-28", "1993-06-12", "relatif au sel"},
		{"Décret n° 93-28. clu 12 juin 1993 relatif au sel", "Décret", "", "93-28", "1993-06-12", "relatif au sel"},
		{"Arrêté du ministre du sel. n° 28 du 12 juin 1993", "Arrêté", "du ministre du sel", "28", "1993-06-12", ""},
		{"Décret n° 95-08DU 12 juin 1993 relatif au sel", "Décret", "", "95-08", "1993-06-12", "relatif au sel"},
		{"ARRÊTÉ N° 1998-787/MCL-DU 12 JUIN 1993 FIXANT", "Arrêté", "", "1998-787/MCL", "1993-06-12", "FIXANT"},
		{"Arrêté n° 0512/A/MICHdu 12 juin 1993 fixant", "Arrêté", "", "0512/A/MICH", "1993-06-12", "fixant"},
		{"Arrêté n° 12/MEDU du 12 juin 1993 fixant", "Arrêté", "", "12/MEDU", "1993-06-12", "fixant"},
		{"Arrêté n° 12/MEDU fixant le prix du 12 juin 1993", "Arrêté", "", "12/MEDU", "", "fixant le prix du 12 juin 1993"},
		{"Arrêté du ministre du sel et des mers 25/2009 du 6 mars 2009 fixant", "Arrêté", "du ministre du sel et des mers", "25/2009", "2009-03-06", "fixant"},
		{"Par arrêté de la ministre du sel 40/2025/MS DU 25 mai 2025.", "Arrêté", "de la ministre du sel", "40/2025/MS", "2025-05-25", "."},
		{"Arrêté du ministre du sel 12 du 6 mars 2009", "Arrêté", "du ministre du sel 12", "", "2009-03-06", ""},
		{"Arrêté du ministre du sel de 2008-2009 relatif aux mers du 6 mars 2009", "Arrêté", "du ministre du sel de 2008-2009", "", "", "relatif aux mers du 6 mars 2009"},
		{"Code des sels", "Code", "", "", "", "des sels"},
		{"Le décret fixe le prix", "", "", "", "", ""},
	} {
		n, ok := ReadName(c.words)
		date := ""
		if !n.Date.IsZero() {
			date = n.Date.Format(time.DateOnly)
		}
		if ok != (c.nature != "") || ok && (n.Nature.Name != c.nature || n.author != c.author || n.Number != c.number || date != c.date || n.object != c.object) {
			t.Errorf("%q: %q by %q, %q of %q, %q", c.words, n.Nature.Name, n.author, n.Number, date, n.object)
		}
	}
}
