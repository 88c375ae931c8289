// Package schema holds JSON values against JSON schemas.
package schema

import (
	"bytes"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Documents are JSON documents with schemas in them. It is safe for use by many goroutines.
type Documents struct {
	mu       sync.Mutex // of what follows
	compiler *jsonschema.Compiler
	compiled map[string]*jsonschema.Schema
}

// New makes an empty set, whose schemas demand the formats that they name.
func New() *Documents {
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	return &Documents{compiler: compiler, compiled: map[string]*jsonschema.Schema{}}
}

// Add takes a document, as Decode gives it, under an address.
func (d *Documents) Add(address string, document any) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.compiler.AddResource(address, document)
}

// Validate holds a value, as Decode gives it, against the schema at an address, of a
// document or, with a JSON pointer behind « # », of a place in one. The error names what
// does not fit.
func (d *Documents) Validate(address string, value any) error {
	schema, err := d.schema(address)
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// Check tells what makes the value at an address no schema; nil if it is one.
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

// Decode reads a JSON value; its numbers are of type json.Number.
func Decode(raw []byte) (any, error) { return jsonschema.UnmarshalJSON(bytes.NewReader(raw)) }
