// Package compare tells how two values differ.
package compare

import (
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Option makes some differences count for nothing.
type Option = cmp.Option

// EmptyIsNil takes empty slices and maps for nil ones.
func EmptyIsNil() Option { return cmpopts.EquateEmpty() }

// Without leaves out fields of the structure that of is one of.
func Without(of any, fields ...string) Option { return cmpopts.IgnoreFields(of, fields...) }

// Diff returns what differs between two values, in lines for people; "" if nothing does.
// It panics on structures with fields that are not exported.
func Diff(want, got any, options ...Option) string { return cmp.Diff(want, got, options...) }
