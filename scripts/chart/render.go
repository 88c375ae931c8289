package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/lint"
	"helm.sh/helm/v4/pkg/chart/v2/lint/support"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/engine"
	"sigs.k8s.io/yaml"
)

// loaded is the chart as Helm reads it.
type loaded struct {
	dir   string
	chart *chart.Chart
}

func load(dir string) (*loaded, error) {
	c, err := loader.LoadDir(dir)
	return &loaded{dir: dir, chart: c}, err
}

func readValues(path string) (map[string]any, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	values := map[string]any{}
	if err := yaml.UnmarshalStrict(text, &values); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return values, nil
}

// lint returns what « helm lint » warns of or finds wrong.
func (c *loaded) lint(values map[string]any) error {
	var faults []error
	for _, m := range lint.RunAll(c.dir, values, "droit").Messages {
		if m.Severity >= support.WarningSev {
			faults = append(faults, m)
		}
	}
	return errors.Join(faults...)
}

// render returns the objects of an installation, as text, by the name of their
// template; the values are held against the schema.
func (c *loaded) render(values map[string]any) ([]string, error) {
	release := common.ReleaseOptions{Name: "vigueur", Namespace: "droit", Revision: 1, IsInstall: true}
	complete, err := util.ToRenderValues(c.chart, values, release, common.DefaultCapabilities)
	if err != nil {
		return nil, err
	}
	files, err := engine.Render(c.chart, complete)
	if err != nil {
		return nil, err
	}
	var objects []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !strings.HasSuffix(name, ".yaml") {
			continue
		}
		for _, object := range documents(files[name]) {
			objects = append(objects, "# "+name+"\n"+strings.TrimRight(object, "\n")+"\n")
		}
	}
	return objects, nil
}
