// Package compare shows the differences between two values.
package compare

import (
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Option makes Diff ignore some differences.
type Option = cmp.Option

// EmptyIsNil makes Diff treat empty slices and maps like nil.
func EmptyIsNil() Option { return cmpopts.EquateEmpty() }

// Without makes Diff ignore the named fields of a struct type. The argument of is any value
// of that type.
func Without(of any, fields ...string) Option { return cmpopts.IgnoreFields(of, fields...) }

// Diff returns the differences between two values as lines for people, "" if there are
// none. It panics for structs with unexported fields.
func Diff(want, got any, options ...Option) string { return cmp.Diff(want, got, options...) }
