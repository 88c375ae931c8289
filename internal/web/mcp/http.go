package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"vigueur/internal/kit/errs"
)

// Longest is how long the reply to a message may take.
const Longest = askTime + callTime

// HTTP answers messages that arrive over HTTP: the protocol's streamable transport, without
// sessions and streams. It limits the time of a call. Its caller limits the length of a message
// and the number of calls at once. It is safe for concurrent use.
type HTTP struct{ handler http.Handler }

// HTTP returns the service for messages over HTTP.
func (s *Service) HTTP() *HTTP {
	server := s.server()
	return &HTTP{sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server },
		&sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true, Logger: slog.New(slog.DiscardHandler)})}
}

// Reply is the HTTP status of the reply to a message, and its JSON; nil: the reply has no body.
type Reply struct {
	Status int
	Body   []byte
}

// exchangeKey is the context key of the context of an exchange.
type exchangeKey struct{}

// Exchange answers one message. It reads only the headers that begin with Mcp-. The call of a tool
// ends with ctx and has its values. The error is Invalid if the body is not a message of the
// protocol.
func (h *HTTP) Exchange(ctx context.Context, header http.Header, body []byte) (Reply, error) {
	message, err := readMessage(body)
	if err != nil {
		return Reply{}, err
	}
	if version := header.Get("Mcp-Protocol-Version"); version != "" && !slices.Contains(sdk.SupportedProtocolVersions(), version) {
		return unknownVersion(message.ID, version)
	}
	// The transport passes on the values of this context to the call, but not its end.
	r, err := http.NewRequestWithContext(context.WithValue(ctx, exchangeKey{}, ctx), http.MethodPost, "/mcp", bytes.NewReader(body))
	if err != nil {
		return Reply{}, err
	}
	for name, values := range header {
		if strings.HasPrefix(name, "Mcp-") {
			r.Header[name] = values
		}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream") // the reply is JSON, whatever else the client would take
	out := &reply{header: http.Header{}, status: http.StatusOK}
	h.handler.ServeHTTP(out, r)
	switch {
	case ctx.Err() != nil:
		return Reply{}, errs.Wrap(errs.Unavailable, "", ctx.Err())
	case strings.HasPrefix(out.header.Get("Content-Type"), "application/json"):
		return Reply{out.status, translateReply(out.body.Bytes())}, nil
	case out.status >= http.StatusInternalServerError:
		return Reply{}, errs.New(errs.Internal, "")
	case out.status >= http.StatusBadRequest:
		return Reply{}, errs.Newf(errs.Invalid, "Le message « %.60s » n’est pas admis : sa méthode n’existe pas, ou « id » ou « params » y manque ou n’y a pas lieu.", message.Method)
	}
	return Reply{Status: out.status}, nil
}

// message has the fields of a message that this package reads.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
}

// batchText is the sentence for several messages in one body or line, which would count as one
// call. errBatch is the error for a body.
const batchText = "Un message à la fois : les lots de messages ne sont pas admis."

var errBatch = errs.New(errs.Invalid, batchText)

// readMessage parses a message. The error is errBatch if the body has several.
func readMessage(body []byte) (m message, err error) {
	if bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) {
		return m, errBatch
	}
	if json.Unmarshal(body, &m) != nil || m.Version != "2.0" {
		return m, errs.New(errs.Invalid, "Le corps attend un message JSON-RPC 2.0.")
	}
	return m, nil
}

// unknownVersion is the reply to a client that asks for an unknown version of the protocol. It
// lists the known versions as the protocol specifies, so that the client may choose another.
func unknownVersion(id json.RawMessage, version string) (Reply, error) {
	known := sdk.SupportedProtocolVersions()
	data, err := json.Marshal(sdk.UnsupportedProtocolVersionData{Supported: known, Requested: version})
	if err != nil {
		return Reply{}, err
	}
	body, err := json.Marshal(errorReply{"2.0", id, &jsonrpc.Error{Code: sdk.CodeUnsupportedProtocolVersion, Data: data,
		Message: "Version du protocole inconnue : « " + version + " ». Versions admises : " + strings.Join(known, ", ") + "."}})
	return Reply{http.StatusBadRequest, body}, err
}

// reply records the response of a handler.
type reply struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *reply) Header() http.Header         { return r.header }
func (r *reply) WriteHeader(status int)      { r.status = status }
func (r *reply) Write(p []byte) (int, error) { return r.body.Write(p) }
