// Command chart renders deployments/helm/vigueur by Helm's own engine for each file of values in deployments/helm/cases, lints it,
// reads every object strictly as the type that Kubernetes or KEDA has of it, and keeps what was rendered in
// deployments/helm/rendered; without -update it only says what differs. Values in deployments/helm/refused must be refused,
// with the words of their first line.
//
// It is a module of its own: Helm and Kubernetes' types are compiled for two minutes of processor time, which no test of
// the service should wait for. The tests of deployments read what was rendered, and know by the sum in its first line
// whether the chart has changed since.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	update := flag.Bool("update", false, "keep what is rendered")
	helm := flag.String("helm", "deployments/helm", "folder of the chart and its cases")
	flag.Parse()
	if err := run(*helm, *update); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run does all cases and joins what is wrong with them.
func run(helm string, update bool) error {
	c, err := load(filepath.Join(helm, "vigueur"))
	if err != nil {
		return err
	}
	cases, err := filepath.Glob(filepath.Join(helm, "cases", "*.yaml"))
	if err != nil || len(cases) == 0 {
		return fmt.Errorf("no cases in %s: %w", helm, err)
	}
	var faults []error
	for _, path := range cases {
		faults = append(faults, accepted(c, path, filepath.Join(helm, "rendered", filepath.Base(path)), update))
	}
	refused, err := filepath.Glob(filepath.Join(helm, "refused", "*.yaml"))
	faults = append(faults, err)
	for _, path := range refused {
		faults = append(faults, refuse(c, path))
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	fmt.Printf("%d cases are rendered and valid, %d are refused\n", len(cases), len(refused))
	return nil
}

// accepted renders a case, judges its objects, and compares with what is kept.
func accepted(c *loaded, path, kept string, update bool) error {
	values, err := readValues(path)
	if err != nil {
		return err
	}
	if err := c.lint(values); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	objects, err := c.render(values)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	var faults []error
	for _, o := range objects {
		if err := judge([]byte(o)); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w\n%s", path, err, o))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	sum, err := Sum(c.dir, path)
	if err != nil {
		return err
	}
	text := "# " + sum + " rendered by scripts/chart; do not edit\n---\n" + strings.Join(objects, "---\n")
	if update {
		return os.WriteFile(kept, []byte(text), 0o644)
	}
	if before, err := os.ReadFile(kept); err != nil || string(before) != text {
		return fmt.Errorf("%s is not what the chart gives now (%v): GOWORK=off go -C scripts/chart run . -helm ../../deployments/helm -update", kept, err)
	}
	return nil
}

// refuse holds that values are not accepted, for the reason that their first line says.
func refuse(c *loaded, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	want, said := strings.CutPrefix(first, "# ")
	if !said {
		return fmt.Errorf("%s: its first line does not say why it is refused", path)
	}
	values, err := readValues(path)
	if err != nil {
		return err
	}
	objects, err := c.render(values)
	if err == nil {
		return fmt.Errorf("%s is accepted: %d objects", path, len(objects))
	}
	if !strings.Contains(err.Error(), want) {
		return fmt.Errorf("%s is refused for another reason: %w", path, err)
	}
	return nil
}

// documents parts what a template gave into its objects, in order, empty ones left out.
func documents(text string) []string {
	parts := strings.Split("\n"+text, "\n---")
	for i, part := range parts {
		parts[i] = strings.TrimLeft(part, "\n")
	}
	return slices.DeleteFunc(parts, func(part string) bool {
		for line := range strings.Lines(part) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				return false
			}
		}
		return true
	})
}
