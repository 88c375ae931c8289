package flat

// register is the segment without its postings.
func (s *segment) register() *segment {
	for i := range s.terms {
		s.terms[i].postings = nil
	}
	return s
}

// registered tells whether a term has been left only how many passages hold it.
func (t *term) registered() bool { return len(t.postings) == 0 && t.passages > 0 }

// Average is the length of a passage, in words, as Weigh takes it.
func (x *Index) Average() float64 { return x.now.Load().average() }
