package chat

import (
	"encoding/json"

	"github.com/google/uuid"

	"vigueur/internal/law"
)

// ChunkData is the data of a chunk event.
func ChunkData(text string) []byte {
	return encode(struct {
		Text string `json:"text"`
	}{text})
}

// ErrorData is the data of an error event; detail is a French sentence.
func ErrorData(detail string) []byte {
	return encode(struct {
		Detail string `json:"detail"`
	}{detail})
}

// FinalData is the data of the final event of an answer, made from the message
// as it is stored, so that a live stream and a later replay end alike.
func FinalData(m Message) []byte {
	validation := m.Validation
	if validation == nil {
		validation = &Validation{OK: true}
	}
	citations := m.Citations
	if citations == nil {
		citations = []law.Citation{}
	}
	return encode(struct {
		ConversationID uuid.UUID      `json:"conversation_id"`
		MessageID      uuid.UUID      `json:"message_id"`
		Citations      []law.Citation `json:"citations"`
		Validation     *Validation    `json:"validation"`
		LatencyMS      *int           `json:"latency_ms"`
		Model          *string        `json:"model"`
	}{m.ConversationID, m.ID, citations, validation, m.LatencyMS, m.Model})
}

// End is the event that ends the answer m, made from the message as stored:
// error when it failed, else final.
func End(m Message) (EventKind, []byte) {
	if m.State == Failed {
		return ErrorKind, ErrorData(m.Error)
	}
	return Final, FinalData(m)
}

// Replay gives the events of a stored answer that has ended, those after event
// number after: the chunks as they were streamed, under the same numbers, the
// end last. When after belongs to an earlier attempt a reset comes first; when it
// is the end's own number there is nothing more.
func Replay(m Message, after int64) []Event {
	attempt := max(m.Attempt, 1)
	events := Written(attempt, m.Content, m.ChunkEnds, after)
	seq := FirstSeq(attempt) + int64(len(m.ChunkEnds))
	if kind, data := End(m); seq > after {
		events = append(events, Event{Seq: seq, Kind: kind, Data: data})
	}
	return events
}

// Written gives the events of what an attempt has written, those after event
// number after: its chunks, each ending where ends says. When after belongs to
// an earlier attempt a reset comes first.
func Written(attempt int, text string, ends []int, after int64) (events []Event) {
	if after > 0 && AttemptOf(after) < attempt {
		events = append(events, Event{Seq: ResetSeq(attempt), Kind: Reset, Data: []byte("{}")})
	}
	seq, start := FirstSeq(attempt), 0
	for _, end := range ends {
		if seq > after {
			events = append(events, Event{Seq: seq, Kind: Chunk, Data: ChunkData(text[start:end])})
		}
		start = end
		seq++
	}
	return events
}

// encode writes the JSON of an event on one line, as server-sent events need it.
func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("chat: " + err.Error()) // only plain values of ours are encoded
	}
	return data
}
