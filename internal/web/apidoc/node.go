package apidoc

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// reader reads a document by its keys. It keeps the first error that it finds (a reference
// without a target, a schema that contains itself).
type reader struct {
	root  *yaml.Node
	err   error
	depth int // of the schema that is being read
}

// child returns the value of a key, nil if n has no such key.
func child(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// text returns the text of a key, "" if n has no such key.
func text(n *yaml.Node, key string) string {
	if v := child(n, key); v != nil && v.Kind == yaml.ScalarNode {
		return v.Value
	}
	return ""
}

// items returns the values of a list.
func items(n *yaml.Node) []*yaml.Node {
	if n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	return n.Content
}

// pair is one entry of a mapping.
type pair struct {
	key   string
	value *yaml.Node
}

// pairs returns the entries of a mapping in their order.
func pairs(n *yaml.Node) (list []pair) {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i < len(n.Content); i += 2 {
		list = append(list, pair{n.Content[i].Value, n.Content[i+1]})
	}
	return list
}

// resolve returns the target of a reference, and the last part of the reference as its
// name. If n is not a reference, it returns n and "".
func (r *reader) resolve(n *yaml.Node) (target *yaml.Node, name string) {
	for range 8 { // ends a reference to itself
		ref := text(n, "$ref")
		if ref == "" {
			return n, name
		}
		node := r.root
		for _, key := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
			node = child(node, key)
		}
		if node == nil {
			break
		}
		n, name = node, ref[strings.LastIndexByte(ref, '/')+1:]
	}
	if r.err == nil {
		r.err = fmt.Errorf("line %d: %s has no target", n.Line, text(n, "$ref"))
	}
	return &yaml.Node{Kind: yaml.MappingNode}, name
}
