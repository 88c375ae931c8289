package transport

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"

	"vigueur/internal/store/chat"
)

// RevokedText is the message if the session has ended.
const RevokedText = "La session n’est plus valable. Connectez-vous de nouveau."

// The reasons why a stream ended.
var (
	ErrEnded    = errors.New("ended")    // the answer's end was sent
	ErrGone     = errors.New("gone")     // the client disconnected
	ErrShutdown = errors.New("shutdown") // the server is shutting down
	ErrLost     = errors.New("lost")     // the row could not be read
	ErrRevoked  = errors.New("revoked")  // the session has ended
)

// EndEarly sends the last event of a stream that ends before its answer, and returns why.
func EndEarly(send func([]byte) error, event []byte, why error) error {
	if err := send(event); err != nil {
		return err
	}
	return why
}

// Wire is the form of the service's own streams.
type Wire struct{}

// Failed encodes the event that ends a stream early, with the text that says why.
func (Wire) Failed(text string) []byte {
	return []byte("event: error\ndata: " + string(chat.ErrorData(text)) + "\n\n")
}

// Stopped asks the client to reconnect after a random delay, so that not all clients do so at
// the same moment.
func (Wire) Stopped() []byte { return fmt.Appendf(nil, "retry: %d\n\n", 250+rand.IntN(1750)) }

// Event encodes a server-sent event. Its data is JSON on one line.
func (Wire) Event(out *bytes.Buffer, e chat.Event) {
	out.WriteString("id: ")
	out.WriteString(strconv.FormatInt(e.Seq, 10))
	out.WriteString("\nevent: ")
	out.WriteString(string(e.Kind))
	out.WriteString("\ndata: ")
	out.Write(e.Data)
	out.WriteString("\n\n")
}
