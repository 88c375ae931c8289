package meili

import "github.com/meilisearch/meilisearch-go"

// settings returns the settings for searching French titles. Numbers of texts are searched
// without typo tolerance, because « 2000-109 » and « 2000-190 » are different texts.
func settings() *meilisearch.Settings {
	return &meilisearch.Settings{
		SearchableAttributes: []string{"title", "numero_officiel"},
		FilterableAttributes: []string{"domaine", "doc_type", "statut", "date_promulgation"},
		SortableAttributes:   []string{"date_promulgation"},
		RankingRules:         []string{"words", "typo", "proximity", "attribute", "sort", "exactness"},
		StopWords:            []string{"de", "du", "des", "la", "le", "les", "l", "d", "et", "portant", "relatif", "relative", "au", "aux", "en"},
		// Without this field, the library would send word sizes of 0, with which every word
		// matches all others.
		TypoTolerance: &meilisearch.TypoTolerance{Enabled: true, DisableOnNumbers: true, DisableOnWords: []string{},
			MinWordSizeForTypos: meilisearch.MinWordSizeForTypos{OneTypo: 5, TwoTypos: 9}, DisableOnAttributes: []string{"numero_officiel"}},
		LocalizedAttributes: []*meilisearch.LocalizedAttributes{{AttributePatterns: []string{"*"}, Locales: []string{"fra"}}},
		Pagination:          &meilisearch.Pagination{MaxTotalHits: maxHits},
	}
}
