package chat

import (
	"encoding/json"

	"github.com/google/uuid"

	"vigueur/internal/law"
)

// ChunkData returns the data of a chunk event.
func ChunkData(text string) []byte {
	return encode(struct {
		Text string `json:"text"`
	}{text})
}

// ErrorData returns the data of an error event. detail is a French sentence.
func ErrorData(detail string) []byte {
	return encode(struct {
		Detail string `json:"detail"`
	}{detail})
}

// FinalData returns the data of an answer's final event. It is made from the stored
// message, so that a live stream and a replay end with the same event.
func FinalData(m Message) []byte {
	validation := m.Validation
	if validation == nil {
		validation = &Validation{OK: true}
	}
	grade, probability := m.Certainty.Fields()
	citations := m.Citations
	if citations == nil {
		citations = []law.Citation{}
	}
	return encode(struct {
		ConversationID uuid.UUID      `json:"conversation_id"`
		MessageID      uuid.UUID      `json:"message_id"`
		Citations      []law.Citation `json:"citations"`
		SeeAlso        []law.Citation `json:"see_also,omitempty"`
		Validation     *Validation    `json:"validation"`
		Certainty      *Grade         `json:"certainty"`
		Probability    *float64       `json:"probability"`
		LatencyMS      *int           `json:"latency_ms"`
		Model          *string        `json:"model"`
		Country        string         `json:"pays,omitempty"` // whose law was asked for; absent: that of all
	}{m.ConversationID, m.ID, citations, m.SeeAlso, validation, grade, probability, m.LatencyMS, m.Model, m.Filters.Country})
}

// End returns the last event of the answer m: an error event if the answer failed, else a
// final event. It is made from the stored message.
func End(m Message) (EventKind, []byte) {
	if m.State == Failed {
		return ErrorKind, ErrorData(m.Error)
	}
	return Final, FinalData(m)
}

// Replay returns the events of an ended answer whose numbers are above after: the chunks,
// with the numbers under which they were streamed, and the end. If after belongs to an
// earlier attempt, a reset comes first. If after is the number of the end, there are no
// events.
func Replay(m Message, after int64) []Event {
	attempt := max(m.Attempt, 1)
	events := EventsWritten(attempt, m.Content, m.ChunkEnds, after)
	seq := FirstSeq(attempt) + int64(len(m.ChunkEnds))
	if kind, data := End(m); seq > after {
		events = append(events, Event{Seq: seq, Kind: kind, Data: data})
	}
	return events
}

// EventsWritten returns the events above number after for the chunks that an attempt has written
// so far. ends holds the end of each chunk in text. If after belongs to an earlier attempt,
// a reset comes first.
func EventsWritten(attempt int, text string, ends []int, after int64) (events []Event) {
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

// encode encodes the data of an event as JSON on one line, as server-sent events require.
func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("chat: " + err.Error()) // only values of this package are encoded
	}
	return data
}
