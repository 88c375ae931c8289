// Package mcp offers the catalogue to programs that speak the Model Context Protocol: tools
// that look for, read, compare and answer, and texts and articles as resources.
//
// A tool takes arguments and returns results with their sources: text, article, day, page, places
// on the page and the address that opens them. The tools read the catalogue with the functions of
// the HTTP interface, and store nothing but questions. A failed call returns a French sentence.
// Calls are limited in length, number and time.
package mcp

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/markdown"
	"vigueur/internal/search/verify"
	"vigueur/internal/store/postgres"
)

const (
	// atOnce is the number of concurrent exchanges of one client of Forward; others wait.
	atOnce = 4
	// callTime limits a call, askTime a question. The check of a text has its own limit.
	callTime = 10 * time.Second
	askTime  = 2 * time.Minute
	// mostLine is the maximum length of a message of a client, in bytes.
	mostLine = 1 << 20
)

// Answer is the answer to a question.
type Answer struct {
	Text      string   `json:"answer"`
	Warning   string   `json:"warning,omitempty"`
	Abstained bool     `json:"abstained"`
	Sources   []Source `json:"sources"`
}

// Service serves the tools. Its fields must not change once it serves.
type Service struct {
	DB      *postgres.DB
	BaseURL string // public address of the page, "" if the service has none
	Version string
	Now     func() time.Time
	// Ask asks a question and waits for the answer; nil: the tool ask does not exist.
	Ask func(ctx context.Context, q Question) (Answer, error)
	// Turn waits for a turn to check a text, which takes seconds of a core; nil: this is the only client.
	Turn func(ctx context.Context) (release func(), err error)
}

// instructions tell a model how to use the tools.
const instructions = "Textes de droit et leurs articles, tels que les gazettes les ont publiés. Cherchez avec search_articles, lisez avec read_article " +
	"avant de citer, vérifiez une citation avec verify_citation, un texte entier avec verify, et l’état d’un texte avec text_status. Citez le texte, l’article, le jour et l’adresse."

// server returns a server with all tools and resources. The caller limits concurrent calls.
func (s *Service) server() *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: "vigueur", Title: "Vigueur", Version: s.Version}, &sdk.ServerOptions{Instructions: instructions})
	server.AddReceivingMiddleware(translateErrors)
	add(server, callTime, "search_articles", "Cherche des articles par leurs mots, les plus proches d’abord.", s.searchArticles)
	add(server, callTime, "read_article", "Donne le texte d’un article tel qu’il est en vigueur un jour.", s.readArticle)
	add(server, callTime, "text_status", "Dit si un texte est en vigueur, modifié ou abrogé, par quoi et depuis quand.", s.textStatus)
	add(server, callTime, "resolve_reference", "Dit quels textes une référence désigne : « article 36 du code du travail », « loi 2010-05 ».", s.resolveReference)
	add(server, callTime, "verify_citation", "Compare une citation aux mots de l’article en vigueur un jour : identique, différente (où), ou absente.", s.verifyCitation)
	add(server, verify.Longest, "verify", "Vérifie un texte : ce que désigne chaque référence et si c’est en vigueur un jour, et si chaque citation est exacte. Rien n’en est gardé.", s.verify)
	add(server, callTime, "coverage", "Dit ce que contient le catalogue : pays, natures, années.", s.coverage)
	if s.Ask != nil {
		add(server, askTime, "ask", "Pose une question en français ; la réponse cite ses sources, ou dit qu’elle n’en a pas.", s.ask)
	}
	s.addResources(server)
	return server
}

// sentences are the protocol errors as clients see them, by code.
var sentences = map[int64]string{
	jsonrpc.CodeInvalidRequest:         "Cette demande n’est pas admise.",
	jsonrpc.CodeMethodNotFound:         "Cette méthode n’existe pas.",
	jsonrpc.CodeInvalidParams:          "Ce que cette demande désigne n’existe pas, ou ses paramètres ne sont pas valables.",
	jsonrpc.CodeInternalError:          "Une erreur interne est survenue.",
	sdk.CodeUnsupportedProtocolVersion: "Cette version du protocole n’est pas admise.",
}

// translateErrors replaces the text of errors by French sentences without internals. It keeps code
// and data.
func translateErrors(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		out, err := next(ctx, method, r)
		if err == nil {
			return out, nil
		}
		var known *jsonrpc.Error
		if !errors.As(err, &known) {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: errs.Public(err)}
		}
		told := *known
		told.Message = sentence(known.Code)
		return nil, &told
	}
}

// sentence returns the sentence for a protocol error.
func sentence(code int64) string {
	return cmp.Or(sentences[code], sentences[jsonrpc.CodeInvalidRequest])
}

type errorReply struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   *jsonrpc.Error  `json:"error"`
}

// translateReply returns a reply with its error in French. The SDK itself refuses some requests, such
// as params that are not an object, in English. Internal errors already have the sentence of
// translateErrors.
func translateReply(reply []byte) []byte {
	if !bytes.Contains(reply, []byte(`"error":`)) {
		return reply
	}
	var r errorReply
	if json.Unmarshal(reply, &r) != nil || r.Error == nil || r.Error.Code == jsonrpc.CodeInternalError {
		return reply
	}
	r.Error.Message = sentence(r.Error.Code)
	told, err := json.Marshal(r)
	if err != nil {
		return reply
	}
	return told
}

// checker is implemented by the arguments of every tool: fault returns a French sentence about the
// first fault, "" if there is none.
type checker interface{ fault() string }

// add adds a tool whose arguments are In.
func add[In checker](server *sdk.Server, limit time.Duration, name, subject string, call func(context.Context, In) (any, error)) {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic(fmt.Sprintf("mcp: arguments of %s: %v", name, err)) // the types are this package's own
	}
	no := false
	server.AddTool(&sdk.Tool{Name: name, Description: subject, InputSchema: schema,
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: &no, OpenWorldHint: &no}},
		func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			in, err := arguments[In](r.Params.Arguments)
			if err != nil {
				return failure(err), nil
			}
			ctx, cancel := context.WithTimeout(ctx, limit)
			defer cancel()
			if exchange, ok := ctx.Value(exchangeKey{}).(context.Context); ok {
				defer context.AfterFunc(exchange, cancel)()
			}
			out, err := call(ctx, in)
			if err != nil {
				return failure(err), nil
			}
			data, err := json.Marshal(out)
			if err != nil {
				return nil, fmt.Errorf("mcp: result of %s: %w", name, err)
			}
			data = inert(data)
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(data)}}, StructuredContent: json.RawMessage(data)}, nil
		})
}

// failure returns the result of a failed call: the public sentence of its error.
func failure(err error) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: markdown.Inert(errs.Public(err))}}}
}

// jsonText matches a text of JSON, with the colon behind a name.
var jsonText = regexp.MustCompile(`"(?:[^"\\]|\\.)*":?`)

// inert makes the texts of a result harmless for programs that render them; addresses are the service's own.
func inert(result []byte) []byte {
	name := ""
	return jsonText.ReplaceAllFunc(result, func(text []byte) []byte {
		var words string
		if bytes.HasSuffix(text, []byte(":")) {
			name = string(text)
		} else if name != `"url":` && json.Unmarshal(text, &words) == nil {
			if safe := markdown.Inert(words); safe != words {
				text, _ = json.Marshal(safe) // it is a text
			}
		}
		return text
	})
}

// unknownField matches the error of encoding/json for an argument that does not exist.
var unknownField = regexp.MustCompile(`unknown field "(.{1,60})"`)

// kinds are the types of arguments, as a refusal names them.
var kinds = map[reflect.Kind]string{reflect.String: " : un texte", reflect.Int: " : un entier", reflect.Bool: " : true ou false", reflect.Slice: " : une liste"}

// wholeNumbers writes the arguments 2.0 and -1.00 as 2 and -1: JSON Schema counts them as integers.
func wholeNumbers(raw json.RawMessage) json.RawMessage {
	var all map[string]json.RawMessage
	if json.Unmarshal(raw, &all) != nil {
		return raw
	}
	for name, value := range all {
		if whole, zeros, ok := strings.Cut(string(value), "."); ok && value[0] != '"' && value[0] != '{' && value[0] != '[' && strings.Trim(zeros, "0") == "" {
			all[name] = json.RawMessage(whole)
		}
	}
	if written, err := json.Marshal(all); err == nil {
		return written
	}
	return raw
}

// arguments decodes and checks the arguments of a call.
func arguments[In checker](raw json.RawMessage) (in In, err error) {
	if len(raw) == 0 {
		raw = json.RawMessage(`{}`)
	}
	decoder := json.NewDecoder(bytes.NewReader(wholeNumbers(raw)))
	decoder.DisallowUnknownFields()
	err = decoder.Decode(&in)
	var mistyped *json.UnmarshalTypeError
	if errors.As(err, &mistyped) {
		return in, errs.Newf(errs.Unprocessable, "L’argument « %s » n’est pas du type attendu%s.", mistyped.Field, kinds[mistyped.Type.Kind()])
	}
	if err != nil {
		if name := unknownField.FindStringSubmatch(err.Error()); name != nil {
			return in, errs.Newf(errs.Unprocessable, "L’argument « %s » n’existe pas.", name[1])
		}
		return in, errs.Wrap(errs.Unprocessable, "Les arguments ne sont pas un objet JSON.", err)
	}
	if fault := in.fault(); fault != "" {
		return in, errs.New(errs.Unprocessable, fault)
	}
	return in, nil
}

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

// Forward reads the messages of a client from in, one a line, and writes to out what exchange replies to each, one a
// line, until in or ctx ends. It refuses a line that is not a message and goes on with the next; an error of exchange
// becomes a reply with its public sentence. It ends the exchange of a call that the client cancels. version is the
// version of the protocol that was agreed on, "" before that. The error is that of in or out.
func Forward(ctx context.Context, r io.Reader, out io.Writer, exchange func(ctx context.Context, version string, message []byte) (reply []byte, err error)) error {
	ctx, cancel := context.WithCancel(ctx)
	f := &forwarder{exchange: exchange, out: out, slots: make(chan struct{}, atOnce), calls: map[string]context.CancelFunc{}}
	defer f.running.Wait()
	defer cancel()
	for reader := bufio.NewReader(r); ; {
		line, long, err := nextLine(reader)
		if line = bytes.TrimSpace(line); long || len(line) > 0 {
			if failed := f.take(ctx, line, long); failed != nil {
				return failed
			}
		}
		switch {
		case ctx.Err() != nil || errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// forwarder forwards the messages of one client.
type forwarder struct {
	exchange func(ctx context.Context, version string, message []byte) ([]byte, error)
	slots    chan struct{} // of concurrent calls
	running  sync.WaitGroup

	mu      sync.Mutex
	out     io.Writer
	version string
	calls   map[string]context.CancelFunc // by the id of the call
}

// nextLine reads a line. It drops a line that is longer than mostLine.
func nextLine(reader *bufio.Reader) (line []byte, long bool, err error) {
	for {
		piece, err := reader.ReadSlice('\n')
		if long = long || len(line)+len(bytes.TrimRight(piece, "\r\n")) > mostLine; !long {
			line = append(line, piece...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

// take refuses a line that is not a message, or begins its exchange. The error is that of the output.
func (f *forwarder) take(ctx context.Context, line []byte, long bool) error {
	code, told := int64(jsonrpc.CodeInvalidRequest), "Cette ligne n’est pas un message JSON-RPC 2.0."
	m, err := readMessage(line)
	switch {
	case long:
		m.ID, told = nil, "Un message a 1 Mio au plus."
	case errors.Is(err, errBatch):
		told = batchText
	case !json.Valid(line):
		code = jsonrpc.CodeParseError
	case err == nil:
		if _, err = jsonrpc.DecodeMessage(line); err == nil {
			f.begin(ctx, m, line)
			return nil
		}
	}
	if number := new(float64); json.Unmarshal(m.ID, number) != nil && json.Unmarshal(m.ID, new(string)) != nil {
		m.ID = nil // a reply cannot have such an id
	}
	return f.reply(refusal(m.ID, code, told))
}

// begin begins the exchange of a message, or ends that of a call which the client cancels.
func (f *forwarder) begin(ctx context.Context, m message, line []byte) {
	if m.Method == "notifications/cancelled" {
		var what struct {
			Params struct {
				ID json.RawMessage `json:"requestId"`
			} `json:"params"`
		}
		_ = json.Unmarshal(line, &what) // another message names no call
		f.mu.Lock()
		defer f.mu.Unlock()
		if end := f.calls[string(what.Params.ID)]; end != nil {
			end()
		}
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	f.mu.Lock()
	f.calls[string(m.ID)] = cancel
	f.mu.Unlock()
	select {
	case f.slots <- struct{}{}:
	case <-ctx.Done():
	}
	f.running.Go(func() {
		defer func() { <-f.slots }()
		f.finish(ctx, m, line)
		cancel()
	})
}

// finish exchanges a message and writes the reply. A call that was cancelled gets none.
func (f *forwarder) finish(ctx context.Context, m message, line []byte) {
	f.mu.Lock()
	version := f.version
	f.mu.Unlock()
	reply, err := f.exchange(ctx, version, line)
	f.mu.Lock()
	delete(f.calls, string(m.ID))
	f.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return
	case err != nil && len(m.ID) > 0:
		code := int64(jsonrpc.CodeInternalError)
		if errs.Is(err, errs.Invalid) {
			code = jsonrpc.CodeInvalidRequest
		}
		reply = refusal(m.ID, code, errs.Public(err))
	case len(reply) == 0:
		return
	case m.Method == "initialize":
		var agreed struct {
			Result struct {
				Version string `json:"protocolVersion"`
			} `json:"result"`
		}
		_ = json.Unmarshal(reply, &agreed) // a refusal agrees on nothing
		f.mu.Lock()
		f.version = agreed.Result.Version
		f.mu.Unlock()
	}
	_ = f.reply(reply) // an output that is closed ends the input
}

func (f *forwarder) reply(line []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, err := f.out.Write(append(bytes.TrimSpace(line), '\n'))
	return err
}

// refusal returns the reply that refuses a message.
func refusal(id json.RawMessage, code int64, told string) []byte {
	reply, err := json.Marshal(errorReply{"2.0", id, &jsonrpc.Error{Code: code, Message: told}})
	if err != nil {
		panic(err) // the id was valid JSON
	}
	return reply
}
