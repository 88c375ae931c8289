package e2e

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"vigueur/e2e/stage"
)

// openAI is OpenAI's own client, of the service, with an API key.
func openAI(t *testing.T, s *stage.Stage, api *stage.Process, scope string) openai.Client {
	t.Helper()
	key, err := s.Key(t.Context(), scope)
	if err != nil {
		t.Fatal(err)
	}
	own := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(own.CloseIdleConnections)
	return openai.NewClient(option.WithBaseURL(api.URL+"/v1"), option.WithAPIKey(key), option.WithHTTPClient(own), option.WithMaxRetries(0))
}

// annotated checks that each annotation is a place of the content that cites a source by its
// address.
func annotated(t *testing.T, content string, annotations []openai.ChatCompletionMessageAnnotation) {
	t.Helper()
	if len(annotations) == 0 {
		t.Errorf("nothing is cited: %q", content)
	}
	text := []rune(content)
	for _, a := range annotations {
		c := a.URLCitation
		if c.StartIndex < 0 || c.EndIndex > int64(len(text)) || c.StartIndex >= c.EndIndex {
			t.Fatalf("a citation at %d–%d of %d characters", c.StartIndex, c.EndIndex, len(text))
		}
		if place := string(text[c.StartIndex:c.EndIndex]); !strings.HasPrefix(place, "[") || !strings.Contains(c.URL, "/textes/") || c.Title == "" {
			t.Errorf("%q cites %q at %q", place, c.Title, c.URL)
		}
	}
}

// OpenAI's client for Go asks, whole and as a stream, reads what is cited and what is refused,
// and stops an answer by leaving.
func TestOpenAIsClient(t *testing.T) {
	t.Parallel()
	s := openSample(t)
	startWorker(t, s)
	api := startAPI(t, s)
	client := openAI(t, s, api, "chat")
	ctx := t.Context()

	models, err := client.Models.List(ctx)
	if err != nil || len(models.Data) == 0 {
		t.Fatalf("models %+v, %v", models, err)
	}
	asked := openai.ChatCompletionNewParams{Model: models.Data[0].ID, Messages: []openai.ChatCompletionMessageParamUnion{
		openai.SystemMessage("Tu réponds en vers."), openai.UserMessage(wording)}}
	whole, err := client.Chat.Completions.New(ctx, asked)
	if err != nil || len(whole.Choices) != 1 {
		t.Fatalf("%+v, %v", whole, err)
	}
	answer := whole.Choices[0]
	if answer.FinishReason != "stop" || !strings.Contains(answer.Message.Content, "Sources :") || !strings.Contains(answer.Message.Content, "Code du travail") {
		t.Errorf("%+v", answer)
	}
	annotated(t, answer.Message.Content, answer.Message.Annotations)

	var read openai.ChatCompletionAccumulator
	var annotations []openai.ChatCompletionMessageAnnotation
	pieces := 0
	stream := client.Chat.Completions.NewStreaming(ctx, asked)
	for stream.Next() {
		chunk := stream.Current()
		if !read.AddChunk(chunk) {
			t.Fatalf("a piece of another answer: %s", chunk.RawJSON())
		}
		pieces++
		annotations = append(annotations, annotationsOf(t, chunk)...)
	}
	if err := errors.Join(stream.Err(), stream.Close()); err != nil || pieces < 2 || len(read.Choices) != 1 {
		t.Fatalf("%d pieces, %+v, %v", pieces, read.Choices, err)
	}
	if got := read.Choices[0]; got.Message.Content != answer.Message.Content || got.FinishReason != "stop" {
		t.Errorf("streamed: %q; whole: %q", got.Message.Content, answer.Message.Content)
	}
	annotated(t, read.Choices[0].Message.Content, annotations)

	_, err = client.Chat.Completions.New(ctx, openai.ChatCompletionNewParams{Model: "gpt-9", Messages: asked.Messages})
	var refused *openai.Error
	if !errors.As(err, &refused) || refused.StatusCode != http.StatusUnprocessableEntity || refused.Message == "" {
		t.Errorf("an unknown model: %v", err)
	}
	other := openAI(t, s, api, "documents")
	if _, err = other.Models.List(ctx); !errors.As(err, &refused) || refused.StatusCode != http.StatusForbidden || !strings.Contains(refused.Message, "portée") {
		t.Errorf("a key of another scope: %v", err)
	}
}

// annotationsOf returns what a piece cites, which OpenAI's client has no field for.
func annotationsOf(t *testing.T, chunk openai.ChatCompletionChunk) (all []openai.ChatCompletionMessageAnnotation) {
	t.Helper()
	for _, c := range chunk.Choices {
		var delta openai.ChatCompletionMessage
		if err := delta.UnmarshalJSON([]byte(c.Delta.RawJSON())); err != nil {
			t.Fatal(err)
		}
		all = append(all, delta.Annotations...)
	}
	return all
}

// A client that leaves stops its answer: the worker that comes to it later writes nothing.
func TestOpenAIsClientLeaves(t *testing.T) {
	t.Parallel()
	s := openSample(t)
	api := startAPI(t, s)
	client := openAI(t, s, api, "chat")
	answers := func(condition string) (n int) {
		if err := s.Query(t.Context(), `SELECT count(*) FROM messages WHERE role = 'assistant' AND `+condition, &n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	asked := openai.ChatCompletionNewParams{Model: "extractif", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(wording)}}
	ways := []func(context.Context) error{
		func(ctx context.Context) error {
			_, err := client.Chat.Completions.New(ctx, asked)
			return err
		},
		func(ctx context.Context) error {
			stream := client.Chat.Completions.NewStreaming(ctx, asked)
			if stream.Next() {
				t.Errorf("without a worker came %s", stream.Current().RawJSON())
			}
			return errors.Join(stream.Err(), stream.Close())
		},
	}
	for i, ask := range ways {
		ctx, leave := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- ask(ctx) }()
		await(t, "the question", func() bool { return answers("state = 'queued'") == i+1 })
		leave()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("way %d: %v", i, err)
		}
		await(t, "the wish to stop it", func() bool { return answers("cancel_requested") == i+1 })
	}
	startWorker(t, s)
	await(t, "the end of both", func() bool { return answers("state = 'cancelled' AND content = ''") == len(ways) })
}
