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
	const open, numbers = "Licence Ouverte 2.0 (Etalab)", "numbers only were learned"
	const real = "questions on real gazettes, with the facts that an answer must say"
	for _, f := range []rank.Source{
		{File: "retrieval/" + encoder.ArticlesFile, Holds: "75 French codes of about 1 January 2015: LEGI, DILA, by way of etalab/codes-juridiques-francais", Licence: open},
		{File: "retrieval/" + encoder.SheetsFile, Holds: "sheets of service-public.fr: DILA, 2017 to 2020", Licence: open},
		{File: "retrieval/" + encoder.QueriesFile, Holds: "titles of these sheets", Licence: open},
		{File: "retrieval/" + encoder.QrelsFile, Holds: "articles that these sheets cite", Licence: open},
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
		out = append(out, rank.Source{File: f.Name, SHA256: hash, Holds: real, Licence: numbers})
	}
	return out, nil
}
