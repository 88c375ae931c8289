package house

import "math/rand/v2"

// Damage is what happened to an issue between the press and the reader, each from
// 0, nothing, to 1, as bad as it gets.
type Damage struct {
	OCR       bool    // the words are recognized ones: page.OCR, no sizes, no bold, heights of lines
	Skew      float64 // lines lean and wave
	Noise     float64 // boxes jitter, words are split and run together, specks become words, lines are lost
	Blur      float64 // small marks are lost
	Accents   float64 // accents are lost
	Shift     float64 // pages whose codes are shifted
	Confusion float64 // letters read as others, as often as in real scans at 0.5
}

func (d Damage) apply(i *Issue, rng *rand.Rand) {}
