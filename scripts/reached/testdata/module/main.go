package main

import "example.org/module/internal/deep"

func main() {
	deep.Used()
	deep.Show(deep.Named{})
	deep.Do(deep.Whole{})
}
