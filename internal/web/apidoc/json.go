package apidoc

import (
	"bytes"
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// toJSON encodes a node as JSON, with its keys in their order.
func toJSON(n *yaml.Node) ([]byte, error) {
	var out bytes.Buffer
	err := writeJSON(&out, n)
	return out.Bytes(), err
}

func writeJSON(out *bytes.Buffer, n *yaml.Node) error {
	switch n.Kind {
	case yaml.MappingNode:
		return writeObject(out, n)
	case yaml.SequenceNode:
		out.WriteByte('[')
		for i, item := range n.Content {
			if i > 0 {
				out.WriteByte(',')
			}
			if err := writeJSON(out, item); err != nil {
				return err
			}
		}
		out.WriteByte(']')
		return nil
	case yaml.ScalarNode:
		return writeScalar(out, n)
	}
	return fmt.Errorf("line %d: aliases are not supported", n.Line)
}

func writeObject(out *bytes.Buffer, n *yaml.Node) error {
	seen := map[string]bool{}
	out.WriteByte('{')
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode || key.Tag != "!!str" || seen[key.Value] {
			return fmt.Errorf("line %d: %q is not a key, or is a duplicate", key.Line, key.Value)
		}
		seen[key.Value] = true
		if i > 0 {
			out.WriteByte(',')
		}
		if err := writeScalar(out, key); err != nil {
			return err
		}
		out.WriteByte(':')
		if err := writeJSON(out, n.Content[i+1]); err != nil {
			return err
		}
	}
	out.WriteByte('}')
	return nil
}

// writeScalar encodes a value. It refuses values of YAML that JSON does not have (a date, a
// set, infinity), which were probably meant to be quoted.
func writeScalar(out *bytes.Buffer, n *yaml.Node) error {
	var value any
	switch n.Tag {
	case "!!str":
		value = n.Value
	case "!!null", "!!bool", "!!int", "!!float":
		if err := n.Decode(&value); err != nil {
			return fmt.Errorf("line %d: %w", n.Line, err)
		}
	default:
		return fmt.Errorf("line %d: %q is %s, which JSON does not have", n.Line, n.Value, n.Tag)
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return fmt.Errorf("line %d: %w", n.Line, err)
	}
	out.Truncate(out.Len() - 1) // the encoder's line end
	return nil
}
