package config

import (
	"slices"
	"strings"
	"time"
)

// Extractive is the name of the generator that needs no model; no model may
// have it.
const Extractive = "extractif"

// leastRoom is how many tokens a model must be able to hold beside its answer:
// the instructions, the question and one passage.
const leastRoom = 2048

func (m Models) modelFaults(f *faults) {
	for i, name := range m.Names {
		switch {
		case strings.TrimSpace(name) == "" || strings.ContainsAny(name, "\n\r\t"):
			f.add("VIGUEUR_MODELS : un nom est vide ou illisible")
		case name == Extractive || slices.Contains(m.Names[:i], name):
			f.add("VIGUEUR_MODELS : « %s » est déjà pris", name)
		}
	}
}

// modelFaults holds that the models can be reached.
func (c Worker) modelFaults(f *faults) {
	c.Models.modelFaults(f)
	switch {
	case c.ModelURL != "" && len(c.Names) == 0:
		f.add("VIGUEUR_MODELS : manque ; VIGUEUR_MODEL_URL en a besoin")
	case c.ModelURL == "" && len(c.Names) > 0:
		f.add("VIGUEUR_MODEL_URL : manque ; VIGUEUR_MODELS en a besoin")
	case c.ModelURL != "":
		f.server("VIGUEUR_MODEL_URL", c.ModelURL)
	}
	f.atLeastOne("VIGUEUR_MODEL_OUTPUT", c.ModelOutput)
	if c.ModelContext < c.ModelOutput+leastRoom {
		f.add("VIGUEUR_MODEL_CONTEXT : %d jetons ne laissent pas %d jetons au texte à lire à côté des %d de la réponse", c.ModelContext, leastRoom, c.ModelOutput)
	}
	if c.ModelSilence < time.Second || c.ModelSilence > 10*time.Minute {
		f.add("VIGUEUR_MODEL_SILENCE : %v n’est pas entre 1s et 10m", c.ModelSilence)
	}
}

// server holds that value is the address of an HTTP service and carries no
// secret: addresses are printed.
func (f *faults) server(name, value string) {
	f.url(name, value, "http", "https")
	if strings.ContainsAny(value, "@?#") {
		f.add("%s : l’adresse ne doit porter ni nom ni clé ni paramètre", name)
	}
}
