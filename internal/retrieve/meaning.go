package retrieve

// meant is the text whose meaning is searched: the question, after the one that
// it leans on.
func meant(q Question) string {
	if before := earlier(q); before != "" {
		return before + " " + q.Text
	}
	return q.Text
}
