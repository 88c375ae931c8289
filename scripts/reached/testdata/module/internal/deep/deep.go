package deep

import "fmt"

var made = make()

func make() int { return 1 }

func Used() { _ = used }

func used() {}

// Unused and what only it calls are not reached.
func Unused() { helper() }

func helper() {}

// Named is a fmt.Stringer.
type Named struct{}

func (Named) String() string { return name() }

// Other is exported, but nothing calls it.
func (Named) Other() {}

func name() string { return "name" }

// Job is an interface that no Part implements alone.
type Job interface {
	Row() int
	Work()
}

// Part has a method by which what embeds it is a Job, and one that nothing calls.
type Part struct{}

func (Part) Row() int { return 1 }

func (Part) Rest() {}

// Whole is a Job by its Part.
type Whole struct{ Part }

func (Whole) Work() {}

// Do works.
func Do(j Job) { j.Work() }

// Show prints a value.
func Show(v fmt.Stringer) { fmt.Println(v) }
