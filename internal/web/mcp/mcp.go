// Package mcp offers the catalogue to programs that speak the Model Context Protocol: tools
// that look for, read, compare and answer, and texts and articles as resources.
//
// A tool takes arguments and returns results with their sources: text, article, day, page, places
// on the page and the address that opens them. The tools read the catalogue with the functions of
// the HTTP interface, and store nothing but questions. A failed call returns a French sentence.
// Calls are limited in length, number and time.
package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"vigueur/internal/kit/errs"
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

// errorReply is a reply with an error.
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
func add[In checker](server *sdk.Server, limit time.Duration, name, about string, call func(context.Context, In) (any, error)) {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic(fmt.Sprintf("mcp: arguments of %s: %v", name, err)) // the types are this package's own
	}
	no := false
	server.AddTool(&sdk.Tool{Name: name, Description: about, InputSchema: schema,
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: &no, OpenWorldHint: &no}},
		func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			in, err := arguments[In](r.Params.Arguments)
			if err != nil {
				return failure(err), nil
			}
			ctx, cancel := context.WithTimeout(ctx, limit)
			defer cancel()
			if exchange, is := ctx.Value(exchangeKey{}).(context.Context); is {
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
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(data)}}, StructuredContent: json.RawMessage(data)}, nil
		})
}

// failure returns the result of a failed call: the public sentence of its error.
func failure(err error) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: errs.Public(err)}}}
}

// unknownField matches the error of encoding/json for an argument that does not exist.
var unknownField = regexp.MustCompile(`unknown field "(.{1,60})"`)

// arguments decodes and checks the arguments of a call.
func arguments[In checker](raw json.RawMessage) (in In, err error) {
	if len(raw) == 0 {
		raw = json.RawMessage(`{}`)
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	err = decoder.Decode(&in)
	var mistyped *json.UnmarshalTypeError
	if errors.As(err, &mistyped) {
		return in, errs.Newf(errs.Unprocessable, "L’argument « %s » n’est pas du type attendu.", mistyped.Field)
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
