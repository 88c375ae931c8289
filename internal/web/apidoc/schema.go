package apidoc

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// kind describes in French the values that a schema allows.
type kind struct {
	Name  string // type in words: « texte », « entier », « liste de … »
	Ref   string // name of the schema, or of the items of a list; "" if it has no name
	Rules []string
	Null  bool
}

// typeNames are the names of the types of JSON in French.
var typeNames = map[string]string{
	"string": "texte", "integer": "entier", "number": "nombre", "boolean": "vrai ou faux", "array": "liste", "object": "objet", "null": "null",
}

// formats are the names of the formats of texts in French.
var formats = map[string]string{
	"uuid": "UUID", "date": "date AAAA-MM-JJ", "date-time": "instant RFC 3339", "binary": "fichier", "uri": "adresse",
	"uri-reference": "adresse", "password": "texte",
}

// rules are the constraints on a schema's values in French, in the order in which they are
// listed.
var rules = []struct{ key, before, after string }{
	{"const", "toujours ", ""},
	{"minLength", "au moins ", " car."}, {"maxLength", "au plus ", " car."},
	{"minimum", "au moins ", ""}, {"maximum", "au plus ", ""},
	{"minItems", "au moins ", " él."}, {"maxItems", "au plus ", " él."},
	{"default", "par défaut ", ""},
}

// deepest is the maximum depth of nested schemas. A schema that contains itself exceeds it.
const deepest = 32

// kindOf describes a schema.
func (r *reader) kindOf(n *yaml.Node) kind {
	if r.depth++; r.depth > deepest {
		if r.err == nil {
			r.err = fmt.Errorf("a schema contains itself")
		}
		r.depth--
		return kind{}
	}
	defer func() { r.depth-- }()
	target, name := r.resolve(n)
	if name != "" && child(target, "properties") != nil {
		return kind{Name: "objet", Ref: name}
	}
	n = target
	for _, key := range []string{"oneOf", "anyOf"} {
		if choices := items(child(n, key)); choices != nil {
			return r.choice(choices)
		}
	}
	k := kind{Rules: rulesOf(n)}
	k.Name, k.Null = typeOf(n)
	if node := child(n, "items"); node != nil {
		item := r.kindOf(node)
		k.Name, k.Ref = "liste de "+item.Name, item.Ref
		if item.Ref == "" {
			k.Rules = append(k.Rules, item.Rules...)
		}
	}
	return k
}

// choice describes a schema that allows one of several schemas.
func (r *reader) choice(choices []*yaml.Node) (k kind) {
	var names []string
	for _, one := range choices {
		c := r.kindOf(one)
		if c.Name == "null" {
			k.Null = true
			continue
		}
		names = append(names, c.Name)
		k.Ref, k.Rules = c.Ref, append(k.Rules, c.Rules...)
	}
	k.Name = strings.Join(names, " ou ")
	return k
}

// typeOf returns the name of a schema's type, and whether null is allowed, too.
func typeOf(n *yaml.Node) (name string, null bool) {
	var names []string
	types := items(child(n, "type"))
	if types == nil {
		types = []*yaml.Node{child(n, "type")}
	}
	for _, t := range types {
		switch {
		case t == nil:
			names = append(names, "au choix")
		case t.Value == "null" && len(types) > 1:
			null = true
		case t.Value == "string" && formats[text(n, "format")] != "":
			names = append(names, formats[text(n, "format")])
		default:
			names = append(names, typeNames[t.Value])
		}
	}
	return strings.Join(names, " ou "), null
}

func rulesOf(n *yaml.Node) (list []string) {
	if choices := items(child(n, "enum")); choices != nil {
		var values []string
		for _, c := range choices {
			if c.Tag != "!!null" {
				values = append(values, c.Value)
			}
		}
		list = append(list, strings.Join(values, ", "))
	}
	for _, rule := range rules {
		if value := text(n, rule.key); value != "" {
			list = append(list, rule.before+value+rule.after)
		}
	}
	return list
}

// field is one row of a table: a parameter, a header or a property.
type field struct {
	Name     string
	In       string // place of a parameter: path, query, header, cookie
	Kind     kind
	Required bool
	About    string
	Fields   []field // of an object without a name
}

// fieldsOf lists the properties of an object.
func (r *reader) fieldsOf(n *yaml.Node) (list []field) {
	required := map[string]bool{}
	for _, name := range items(child(n, "required")) {
		required[name.Value] = true
	}
	for _, p := range pairs(child(n, "properties")) {
		target, _ := r.resolve(p.value)
		f := field{Name: p.key, Kind: r.kindOf(p.value), Required: required[p.key], About: text(target, "description")}
		if f.Kind.Ref == "" {
			f.Fields = r.fieldsOf(target)
		}
		list = append(list, f)
	}
	return list
}
