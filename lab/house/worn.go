package house

import "math/rand/v2"

// Worn is a damage drawn by its seed, none in every third case: half of the others
// are scans, and of the rest each has one or two things wrong.
func Worn(seed uint64) Damage {
	rng := rand.New(rand.NewPCG(seed, 0x574f524e))
	level := rng.Float64
	switch rng.IntN(6) {
	case 0, 1:
		return Damage{}
	case 2, 3:
		d := Damage{OCR: true, Skew: level() * level(), Noise: level(), Confusion: level(), Blur: level() * level()}
		if rng.IntN(5) == 0 {
			d.Accents = level()
		}
		return d
	case 4: // the text of a scan that someone recognized before
		return Damage{Skew: level() * level(), Noise: level(), Confusion: level(), Accents: float64(rng.IntN(2)) * level()}
	}
	return Damage{Shift: level(), Accents: float64(rng.IntN(2)) * level(), Noise: 0.3 * level()}
}
