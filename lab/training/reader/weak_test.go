package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"vigueur/internal/search/transformer"
)

// law is a text of which weak lists are made.
func law() *weakText {
	t := &weakText{country: "Testland", title: "Code des jardins"}
	for _, a := range []struct{ number, heading, text string }{
		{"1er", "De la distance des arbres et des haies", "Tout propriétaire plante ses arbres à deux mètres de la limite du terrain voisin. Les haies sont plantées à cinquante centimètres de cette limite."},
		{"2", "De l’autorisation des puits par le maire", "Le puits est creusé avec l’autorisation du maire de la commune où il se trouve. Il est fermé par un couvercle solide dès qu’il ne sert plus."},
		{"3", "De l’entretien commun des clôtures", "La clôture est entretenue à frais communs par les deux propriétaires du terrain. Celui qui la fait tomber la relève dans les trente jours."},
		{"4", "Des amendes pour les puits sans autorisation", "Quiconque creuse un puits sur son terrain sans l’autorisation prévue à l’article 2 est puni d’une amende de cent francs. Le tribunal ordonne la fermeture du puits."},
		{"5", "Des ruches et du dommage des animaux", "Les ruches sont placées à dix mètres de la limite du terrain voisin. Le propriétaire des animaux répare le dommage que ces animaux causent aux arbres."},
		{"6", "Du passage du propriétaire enclavé", "Le propriétaire d’un terrain enclavé passe sur le terrain voisin contre une indemnité. Le maire de la commune fixe cette indemnité si les propriétaires ne s’accordent pas."},
	} {
		t.add(a.number, []string{a.heading}, a.text+" Le maire de la commune avertit le propriétaire du terrain voisin avant les travaux.")
	}
	t.index()
	return t
}

// TestWeakLists checks that what stands for the question is not in the input of the right article, and that this is the one
// that is cited.
func TestWeakLists(t *testing.T) {
	t.Parallel()
	model, err := transformer.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"heading", "sentence", "citation"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			var lists, pieces bytes.Buffer
			x := &weak{rand: rand.New(rand.NewPCG(1, 1)), held: make(map[string]int),
				writer: &writer{model: model, lists: bufio.NewWriter(&lists), pieces: bufio.NewWriter(&pieces), known: make(map[string][2]int), count: make(map[string]int)}}
			of := law()
			write := map[string]func(*weakText) error{"heading": x.headings, "sentence": x.sentences, "citation": x.citations}[kind]
			if err := write(of); err != nil {
				t.Fatal(err)
			}
			if err := x.writer.lists.Flush(); err != nil {
				t.Fatal(err)
			}
			if err := x.writer.pieces.Flush(); err != nil {
				t.Fatal(err)
			}
			read := func(s span) (text string) {
				for i := s[0]; i < s[0]+s[1]; i++ {
					text += model.Pieces.Names[int(pieces.Bytes()[2*i])|int(pieces.Bytes()[2*i+1])<<8]
				}
				return text
			}
			seen := 0
			for line := range strings.Lines(lists.String()) {
				var l weakList
				if err := json.Unmarshal([]byte(line), &l); err != nil {
					t.Fatal(err)
				}
				seen++
				asked := strings.TrimPrefix(read(span{l.At, l.N}), "▁query:")
				right := l.Items[0]
				if input := read(right.Head) + strings.Replace(read(right.Text), read(right.Skip), "", 1); strings.Contains(strings.ToLower(input), strings.ToLower(asked)) {
					t.Errorf("%q is in %q", asked, input)
				}
				if kind == "citation" && !strings.Contains(read(right.Text), "couvercle") {
					t.Errorf("%q is answered by %q", asked, read(l.Items[0].Text))
				}
				if !right.Right || len(l.Items) < 4 {
					t.Errorf("a list of %d articles begins with a right one: %t", len(l.Items), right.Right)
				}
			}
			if seen == 0 {
				t.Error("no list")
			}
		})
	}
}
