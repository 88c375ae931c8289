package extractive_test

import "vigueur/internal/search/decide"

// The verdicts of the prompts in these tests.
var (
	sure    = decide.Verdict{Grade: decide.Sure}
	likely  = decide.Verdict{Grade: decide.Likely, Probability: 0.7}
	unsure  = decide.Verdict{Grade: decide.Unsure}
	refused = decide.Verdict{}
)
