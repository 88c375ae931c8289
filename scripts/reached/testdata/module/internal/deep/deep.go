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

// Show prints a value.
func Show(v fmt.Stringer) { fmt.Println(v) }
