// Package schema validates JSON values against JSON schemas.
package schema

import (
	"bytes"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Documents is a set of JSON documents that contain schemas. It is safe for use by many
// goroutines.
type Documents struct {
	mu       sync.Mutex // guards the following fields
	compiler *jsonschema.Compiler
	compiled map[string]*jsonschema.Schema
}

// New returns an empty set. Its schemas enforce the formats that they name.
func New() *Documents {
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	return &Documents{compiler: compiler, compiled: map[string]*jsonschema.Schema{}}
}

// Add adds a document, in the form that Decode returns, under an address.
func (d *Documents) Add(address string, document any) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.compiler.AddResource(address, document)
}

// Validate validates a value, in the form that Decode returns, against the schema at an
// address: the address of a document, or a JSON pointer into the document after « # ». The
// error describes what does not match.
func (d *Documents) Validate(address string, value any) error {
	schema, err := d.schema(address)
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// Check returns an error if the value at an address is not a valid schema.
func (d *Documents) Check(address string) error {
	_, err := d.schema(address)
	return err
}

func (d *Documents) schema(address string) (*jsonschema.Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if known := d.compiled[address]; known != nil {
		return known, nil
	}
	compiled, err := d.compiler.Compile(address)
	if err == nil {
		d.compiled[address] = compiled
	}
	return compiled, err
}

// Decode reads a JSON value. Its numbers have the type json.Number.
func Decode(raw []byte) (any, error) { return jsonschema.UnmarshalJSON(bytes.NewReader(raw)) }
