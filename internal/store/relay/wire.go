package relay

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"vigueur/internal/store/chat"
)

// The keys of one answer contain the same hash tag, so that a cluster keeps them in one
// slot and a pipeline for them needs one round trip.
func logKey(id uuid.UUID) string        { return "vigueur:{" + id.String() + "}:log" }
func liveChannel(id uuid.UUID) string   { return "vigueur:{" + id.String() + "}:live" }
func cancelKey(id uuid.UUID) string     { return "vigueur:{" + id.String() + "}:cancel" }
func cancelChannel(id uuid.UUID) string { return "vigueur:{" + id.String() + "}:cancelled" }

// streamID returns an event's id in the log: its attempt, then its number within the
// attempt. Redis rejects an id that is not above the last one, so an attempt that lost its
// lease can no longer write to the log.
func streamID(seq int64) string {
	return strconv.Itoa(chat.AttemptOf(seq)) + "-" + strconv.FormatInt(seq%chat.AttemptStride, 10)
}

// seqOf parses an id of the log and returns the event's number.
func seqOf(id string) (int64, error) {
	attempt, number, ok := strings.Cut(id, "-")
	a, err := strconv.ParseInt(attempt, 10, 32)
	if err != nil || !ok || a < 1 {
		return 0, fmt.Errorf("relay: log id %q", id)
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n >= chat.AttemptStride {
		return 0, fmt.Errorf("relay: log id %q", id)
	}
	return (a-1)*chat.AttemptStride + n, nil
}

// encode formats an event for pub/sub: its number, kind and data, separated by spaces.
func encode(e chat.Event) string {
	return strconv.FormatInt(e.Seq, 10) + " " + string(e.Kind) + " " + string(e.Data)
}

// decode parses the output of encode.
func decode(payload string) (chat.Event, error) {
	number, rest, ok := strings.Cut(payload, " ")
	kind, data, ok2 := strings.Cut(rest, " ")
	seq, err := strconv.ParseInt(number, 10, 64)
	if err != nil || !ok || !ok2 || seq < 1 || !known(chat.EventKind(kind)) {
		return chat.Event{}, fmt.Errorf("relay: message of %d bytes is no event", len(payload))
	}
	return chat.Event{Seq: seq, Kind: chat.EventKind(kind), Data: []byte(data)}, nil
}

// fromLog parses one entry of the log.
func fromLog(m redis.XMessage) (chat.Event, error) {
	seq, err := seqOf(m.ID)
	if err != nil {
		return chat.Event{}, err
	}
	kind, _ := m.Values["k"].(string)
	data, _ := m.Values["d"].(string)
	if !known(chat.EventKind(kind)) {
		return chat.Event{}, fmt.Errorf("relay: log entry %s is no event", m.ID)
	}
	return chat.Event{Seq: seq, Kind: chat.EventKind(kind), Data: []byte(data)}, nil
}

func known(k chat.EventKind) bool {
	return k == chat.Chunk || k == chat.Reset || k == chat.Final || k == chat.ErrorKind
}
