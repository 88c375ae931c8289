package main

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// document puts together what was read. Components are in the order of their references, as is what each depends on.
func document(version, stamp string, b *built, p *page) (*cdx.BOM, error) {
	bom := cdx.NewBOM()
	product := cdx.Component{BOMRef: b.part, Type: cdx.ComponentTypeApplication, Name: b.part, Version: version, Licenses: licenses("Apache-2.0")}
	var target []cdx.Property
	for _, setting := range b.target { // under the names that CycloneDX keeps for Go
		name, value, _ := strings.Cut(setting, "=")
		target = append(target, cdx.Property{Name: "cdx:gomod:build:env:" + name, Value: value})
	}
	product.Properties = &target
	bom.Metadata = &cdx.Metadata{Timestamp: stamp, Component: &product}
	uses := map[string][]string{}
	var components []cdx.Component
	for _, name := range programs {
		ref := b.part + "/" + name
		components = append(components, cdx.Component{BOMRef: ref, Type: cdx.ComponentTypeApplication, Name: name, Version: version, Licenses: licenses("Apache-2.0")})
		uses[b.part] = append(uses[b.part], ref)
		uses[ref] = b.refs(name)
	}
	for path, m := range b.modules {
		components = append(components, m.component())
		uses[m.purl()] = b.refs(path)
	}
	for name, found := range p.packages {
		c, err := found.component(name)
		if err != nil {
			return nil, err
		}
		components = append(components, c)
		uses[c.BOMRef] = p.refs(p.uses[name])
	}
	server := b.part + "/api" // which embeds the page
	uses[server] = append(uses[server], p.refs(p.direct)...)
	slices.SortFunc(components, func(x, y cdx.Component) int { return cmp.Compare(x.BOMRef, y.BOMRef) })
	bom.Components = &components
	bom.Dependencies = dependencies(uses)
	return bom, nil
}

func dependencies(uses map[string][]string) *[]cdx.Dependency {
	var all []cdx.Dependency
	for _, ref := range slices.Sorted(maps.Keys(uses)) {
		d := cdx.Dependency{Ref: ref}
		if on := uses[ref]; len(on) > 0 {
			slices.Sort(on)
			d.Dependencies = &on
		}
		all = append(all, d)
	}
	return &all
}

// refs are the references of the modules that a module or a program uses.
func (b *built) refs(who string) []string {
	var refs []string
	for _, path := range b.uses[who] {
		refs = append(refs, b.modules[path].purl())
	}
	return refs
}

// purl is the module's address as package-url has it: the path in small letters, as its type golang asks.
func (m module) purl() string {
	return "pkg:golang/" + strings.ToLower(m.path) + "@" + strings.ReplaceAll(m.version, "+", "%2B")
}

func (m module) component() cdx.Component {
	c := cdx.Component{BOMRef: m.purl(), Type: cdx.ComponentTypeLibrary, Name: m.path, Version: m.version, PackageURL: m.purl(), Licenses: licenses(m.licenses...)}
	if m.sha256 != "" {
		c.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: m.sha256}}
	}
	return c
}

// refs are the references of packages, without those that are left out.
func (p *page) refs(names []string) []string {
	var refs []string
	for _, name := range names {
		if found, known := p.packages[name]; known {
			refs = append(refs, found.purl(name))
		}
	}
	return refs
}

func (p npmPackage) purl(name string) string {
	return "pkg:npm/" + strings.ReplaceAll(name, "@", "%40") + "@" + strings.ReplaceAll(p.Version, "+", "%2B")
}

func (p npmPackage) component(name string) (cdx.Component, error) {
	sum, err := p.sha512()
	if err != nil {
		return cdx.Component{}, err
	}
	c := cdx.Component{BOMRef: p.purl(name), Type: cdx.ComponentTypeLibrary, Name: name, Version: p.Version, PackageURL: p.purl(name),
		Hashes: &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA512, Value: sum}}}
	if group, rest, scoped := strings.Cut(name, "/"); scoped {
		c.Group, c.Name = group, rest
	}
	switch {
	case strings.ContainsAny(p.License, " ("): // « MPL-2.0 OR Apache-2.0 »
		c.Licenses = &cdx.Licenses{{Expression: p.License}}
	case p.License != "":
		c.Licenses = licenses(p.License)
	}
	return c, nil
}

// licenses names licenses by SPDX. Without any there is nothing to say, which is not that there is none.
func licenses(names ...string) *cdx.Licenses {
	if len(names) == 0 {
		return nil
	}
	var list cdx.Licenses
	for _, name := range names {
		list = append(list, cdx.LicenseChoice{License: &cdx.License{ID: name}})
	}
	return &list
}
