package conversations

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/store/chat"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/transport"
)

// A later attempt continues what was sent if it says the same, else the stream ends.
func TestCompletionsAreNotTakenBack(t *testing.T) {
	t.Parallel()
	for again, want := range map[string]string{"Trois mois.": "mois.", "Deux mois.": "recommencée autrement", "Tr": "recommencée autrement"} {
		w := &completionWire{server: &Handlers{Guard: &guard.Guard{Transport: &transport.Transport{}}}, of: streamOf{message: uuid.New()}}
		var out strings.Builder
		for _, e := range []chat.Event{{Kind: chat.Chunk, Data: chat.ChunkData("Trois ")}, {Kind: chat.Reset, Data: []byte("{}")},
			{Kind: chat.Chunk, Data: chat.ChunkData(again)}, {Kind: chat.Final, Data: chat.FinalData(chat.Message{})}} {
			var piece bytes.Buffer
			w.Event(&piece, e)
			out.Write(piece.Bytes())
		}
		if all := out.String(); !strings.Contains(all, want) || strings.Contains(all, "[DONE]") != (want == "mois.") || strings.Count(all, "Trois ") != 1 {
			t.Errorf("%s: %s", again, all)
		}
	}
}

func TestAFailureIsToldInValidation(t *testing.T) {
	t.Parallel()
	m := showMessage(chat.Message{Role: chat.Assistant, State: chat.Failed, Error: "Panne."})
	if m.Validation == nil || m.Validation.OK || *m.Validation.Warning != "Panne." || m.Citations == nil {
		t.Errorf("%+v", m)
	}
}
