package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"vigueur/internal/answer/llm"
)

// Generator is an llm.Generator. Its fields are set once; it is safe for use by many
// goroutines.
type Generator struct {
	Client  *Client
	Model   string
	Called  string // the server's name of the model; "": Model
	Context int    // context window of the model in tokens
	Output  int    // maximum tokens of an answer
	// Nothing writes the answer if no passage answers, as the verdict or the model says.
	Nothing llm.Generator
}

// Generate writes the answer. In addition to the errors of llm.Generator it returns
// llm.ErrAbstained if the model found no answer, llm.ErrCut if the answer is incomplete,
// and an error of kind errs.Unprocessable if the model cannot be used.
func (g *Generator) Generate(ctx context.Context, p llm.Prompt, yield func(delta string) error) error {
	if p.Verdict.Closed() || len(p.Passages) == 0 {
		return g.Nothing.Generate(ctx, p, yield)
	}
	passages := fit(p.Passages, g.Context-g.Output-cost(messages(p, nil)))
	if len(passages) == 0 {
		return unfit(g.Model, fmt.Errorf("openai: a context of %d tokens leaves no room for passages", g.Context))
	}
	asked := messages(p, passages)
	err := g.attempt(ctx, asked, passages, p.Spent, yield)
	if errors.Is(err, errForeign) {
		err = g.attempt(ctx, append(asked, message{"system", again}), passages, p.Spent, yield)
	}
	switch {
	case errors.Is(err, errNothing):
		p.Verdict = p.Verdict.Abstain()
		if err := g.Nothing.Generate(ctx, p, yield); err != nil {
			return err
		}
		return llm.ErrAbstained
	case errors.Is(err, errForeign), errors.Is(err, errThoughtAloud), errors.Is(err, errEmpty):
		return unfit(g.Model, err)
	}
	return err
}

// Tokens estimates the tokens of a prompt and its answer.
func (g *Generator) Tokens(p llm.Prompt) int {
	room := g.Context - g.Output - cost(messages(p, nil))
	return cost(messages(p, fit(p.Passages, room))) + g.Output
}

func cost(list []message) (n int) {
	for _, m := range list {
		n += perMessage + tokens(m.Content)
	}
	return n
}

// attempt sends the prompt once and passes the answer to yield.
func (g *Generator) attempt(ctx context.Context, asked []message, passages []llm.Passage, spent func(llm.Usage), yield func(string) error) error {
	known := make(map[int]bool, len(passages))
	for _, p := range passages {
		known[p.N] = true
	}
	r, err := g.ask(ctx, asked)
	if err != nil {
		return err
	}
	defer r.close()
	w := &writer{marker: marker{known: known}, yield: yield, limit: 16 * g.Output}
	reason, err := r.completion(w)
	if spent != nil {
		spent(w.usage(asked))
	}
	if err == nil {
		err = w.finish(reason)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case w.stopped != nil: // the reader stopped the answer
		return w.stopped
	case errors.Is(err, errBroken):
		return unavailable(g.Model, errors.New(g.Client.mask(r.why(err).Error())))
	}
	return err
}

// request is the body of a completion request.
type request struct {
	Model       string    `json:"model"`
	Messages    []message `json:"messages"`
	Stream      bool      `json:"stream"`
	Options     *options  `json:"stream_options,omitempty"`
	Temperature *int      `json:"temperature,omitempty"`
	MaxTokens   int       `json:"max_tokens,omitempty"`
	MaxOutput   int       `json:"max_completion_tokens,omitempty"`
}

// options requests token counts at the end of a stream.
type options struct {
	Usage bool `json:"include_usage"`
}

// ask opens a completion. Servers support different parameters: if one is refused by name,
// the request is repeated without it, or with its newer name.
func (g *Generator) ask(ctx context.Context, asked []message) (*response, error) {
	zero := 0
	q := request{Model: cmp.Or(g.Called, g.Model), Messages: asked, Stream: true, Options: &options{true}, Temperature: &zero, MaxTokens: g.Output}
	for {
		r, err := g.Client.open(ctx, g.Model, "/chat/completions", q)
		switch refused := parameter(err); {
		case refused == "max_tokens" && q.MaxTokens > 0:
			q.MaxTokens, q.MaxOutput = 0, g.Output
		case refused == "stream_options" && q.Options != nil:
			q.Options = nil
		case refused == "temperature" && q.Temperature != nil:
			q.Temperature = nil
		default:
			return r, err
		}
	}
}

// parameter returns the name of the parameter that a server refused, "" for other errors.
func parameter(err error) string {
	r, ok := errors.AsType[*refusal](err)
	if !ok || r.passing() {
		return ""
	}
	var body struct {
		Error struct {
			Param   string `json:"param"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal([]byte(r.text), &body) != nil {
		return ""
	}
	for _, name := range []string{"max_tokens", "temperature", "stream_options"} {
		if body.Error.Param == name || body.Error.Param == "" && strings.Contains(body.Error.Message, "'"+name+"'") {
			return name
		}
	}
	return ""
}
