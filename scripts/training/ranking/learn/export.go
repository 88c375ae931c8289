package learn

// Minimize goes down from x to where a loss, which writes its gradient, is least, for
// other programs of training.
func Minimize(x []float64, loss func(x, gradient []float64) float64) []float64 {
	return minimize(x, loss)
}
