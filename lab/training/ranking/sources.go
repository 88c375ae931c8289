package main

import (
	"path/filepath"

	"vigueur/internal/search/rank"
	"vigueur/lab/judged"
	encoder "vigueur/lab/training/encoder/learn"
	"vigueur/lab/training/weights"
)

// sources says what is learned from.
func sources(dir string) (out []rank.Source, err error) {
	const open = "Licence Ouverte 2.0 (Etalab)"
	for _, f := range []rank.Source{
		{File: "retrieval/" + encoder.ArticlesFile, Holds: "75 French codes of about 1 January 2015: LEGI, DILA, by way of etalab/codes-juridiques-francais", Licence: open},
		{File: "retrieval/" + encoder.SheetsFile, Holds: "sheets of service-public.fr: DILA, 2017 to 2020", Licence: open},
		{File: "retrieval/" + encoder.QueriesFile, Holds: "titles of these sheets", Licence: open},
		{File: "retrieval/" + encoder.QrelsFile, Holds: "articles that these sheets cite", Licence: open},
		{File: "retrieval/" + judged.LaborFile, Holds: "the French labor code: LEGI, DILA", Licence: open},
		{File: "retrieval/" + judged.LaborQueriesFile, Holds: "questions that people typed", Licence: "numbers only were learned"},
		{File: "retrieval/" + judged.LaborQrelsFile, Holds: "articles that answer them", Licence: "numbers only were learned"},
	} {
		if f.SHA256, err = weights.Hash(filepath.Join(dir, f.File)); err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	for _, f := range judged.GazetteQuestions(dir) {
		hash, err := weights.Hash(f.Path)
		if err != nil {
			return nil, err
		}
		out = append(out, rank.Source{File: f.Name, SHA256: hash, Holds: "questions on real gazettes, with the articles that answer them", Licence: "numbers only were learned"})
	}
	return out, nil
}
