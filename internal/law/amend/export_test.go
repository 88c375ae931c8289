package amend

import (
	"slices"
	"time"
)

// On returns the articles of the text that are law on a day, in their order.
func (a *Assembly) On(day time.Time) []Article {
	var out []Article
	for _, h := range a.Articles {
		for _, v := range slices.Backward(h.Versions) {
			if v.From.After(day) {
				continue
			}
			if !v.Gone && (v.To.IsZero() || v.To.After(day)) {
				out = append(out, Article{Number: h.Number, Path: h.Path, Text: v.Text, From: v.From})
			}
			break
		}
	}
	return out
}

// Reasons lists all reasons.
func Reasons() []Reason {
	return []Reason{NotUnderstood, WordingMissing, WordingOpen, TooLong, WordsNotFound, WordsTooOften, NoSuchPlace, PlaceUnclear,
		ArticleMissing, ArticleExists, AlreadyThere, Conflict, TextMissing, TextAmbiguous, TextRepealed, OwnText, DayUnclear, EarlierWaits, BeforeBase, DatesDisordered}
}
