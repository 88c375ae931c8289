package stage

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"vigueur/internal/law"
)

// Client speaks to an API as a front end does.
type Client struct {
	URL   string
	Token string
	HTTP  *http.Client
}

// Client signs in as the stage's user.
func (s *Stage) Client(ctx context.Context, api *Process) (*Client, error) {
	return s.ClientOf(ctx, api, s.user)
}

// ClientOf signs in as an account made by AddUser.
func (s *Stage) ClientOf(ctx context.Context, api *Process, email string) (*Client, error) {
	c := &Client{URL: api.URL, HTTP: &http.Client{}}
	var session struct {
		AccessToken string `json:"access_token"`
	}
	err := c.JSON(ctx, "POST", "/api/v1/auth/login", map[string]string{"email": email, "password": s.password}, &session)
	c.Token = session.AccessToken
	return c, err
}

// JSON sends body, if any, and reads the answer into result, if not nil. A
// status of 400 or more is a *Refused.
func (c *Client) JSON(ctx context.Context, method, path string, body, result any) error {
	r, err := c.Send(ctx, method, path, body, nil)
	if err != nil {
		return err
	}
	defer func() { _ = r.Body.Close() }()
	data, err := io.ReadAll(r.Body)
	if err != nil || result == nil {
		return err
	}
	return json.Unmarshal(data, result)
}

// Refused is an HTTP answer of 400 or more.
type Refused struct {
	Status int
	Header http.Header
	Body   string
}

func (e *Refused) Error() string { return fmt.Sprintf("HTTP %d: %s", e.Status, e.Body) }

// Send sends a request and gives the answer, whose body the caller closes.
func (c *Client) Send(ctx context.Context, method, path string, body any, header http.Header) (*http.Response, error) {
	var payload io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		payload = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.URL+path, payload)
	if err != nil {
		return nil, err
	}
	if header != nil {
		req.Header = header
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.Token)
	}
	r, err := c.HTTP.Do(req)
	if err != nil {
		return nil, err
	}
	if r.StatusCode >= 400 {
		data, err := io.ReadAll(r.Body)
		_ = r.Body.Close() // it was read
		if err != nil {
			return nil, err
		}
		return nil, &Refused{Status: r.StatusCode, Header: r.Header, Body: string(data)}
	}
	return r, nil
}

// Event is one server-sent event.
type Event struct {
	At   time.Time
	ID   int64
	Name string
	Data string
}

// Answer is a streamed answer as its reader has it.
type Answer struct {
	Text         string // chunks put end to end since the last reset
	Events       []Event
	MessageID    string
	Conversation string
	Citations    []law.Citation
	Warning      *string
	OK           bool
	Error        string        // of an error event
	First        time.Duration // from the request to the first chunk
	LastID       int64
	Ended        bool // an end event came
	Broken       int  // how often Insist had to try again
	Lost         int  // how often a stream ended with an error that has no number
	Seen         func(Event)
}

// Ask asks a question and reads the answer to its end. body holds further
// fields of the request.
func (c *Client) Ask(ctx context.Context, question string, body map[string]any) (Answer, error) {
	request := map[string]any{"question": question}
	for k, v := range body {
		request[k] = v
	}
	began := time.Now()
	r, err := c.Send(ctx, "POST", "/api/v1/chat-rag/stream", request, nil)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{MessageID: r.Header.Get("X-Message-Id"), Conversation: r.Header.Get("X-Conversation-Id")}
	defer func() { _ = r.Body.Close() }()
	err = a.read(r.Body, began)
	return a, err
}

// Resume reads the rest of an answer after what a has, from any API.
func (c *Client) Resume(ctx context.Context, a *Answer) error {
	header := http.Header{"Last-Event-Id": {strconv.FormatInt(a.LastID, 10)}}
	r, err := c.Send(ctx, "GET", "/api/v1/chat-rag/stream/"+a.MessageID, nil, header)
	if err != nil {
		return err
	}
	defer func() { _ = r.Body.Close() }()
	return a.read(r.Body, time.Now())
}

// Insist asks a question as a front end does that does not give up: what is
// refused for the moment is asked again, and a stream that breaks off is taken up
// where it was, on whatever API url names then. seen, if not nil, is called with
// each event.
func (c *Client) Insist(ctx context.Context, url func() string, question string, seen func(Event)) (a Answer, err error) {
	own := *c
	began := time.Now()
	for pause := time.NewTicker(50 * time.Millisecond); ; {
		own.URL = url()
		a.Seen = seen
		if a.MessageID == "" {
			err = own.begin(ctx, &a, question, began)
		} else {
			err = own.Resume(ctx, &a)
		}
		var refused *Refused
		if a.Ended || ctx.Err() != nil || errors.As(err, &refused) && refused.Status != http.StatusServiceUnavailable {
			pause.Stop()
			return a, errors.Join(err, ctx.Err())
		}
		a.Broken++
		<-pause.C
	}
}

func (c *Client) begin(ctx context.Context, a *Answer, question string, began time.Time) error {
	r, err := c.Send(ctx, "POST", "/api/v1/chat-rag/stream", map[string]any{"question": question}, nil)
	if err != nil {
		return err
	}
	defer func() { _ = r.Body.Close() }()
	a.MessageID, a.Conversation = r.Header.Get("X-Message-Id"), r.Header.Get("X-Conversation-Id")
	return a.read(r.Body, began)
}

// read follows a stream to its end event or its end.
func (a *Answer) read(r io.Reader, began time.Time) error {
	var e Event
	for lines := bufio.NewReader(r); ; {
		line, err := lines.ReadString('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		field, value, _ := strings.Cut(strings.TrimRight(line, "\n"), ": ")
		switch {
		case field == "id":
			if e.ID, err = strconv.ParseInt(value, 10, 64); err != nil {
				return err
			}
		case field == "event":
			e.Name = value
		case field == "data":
			e.Data = value
		case line == "\n" && e.Name != "":
			if err := a.take(e, began); err != nil {
				return err
			}
			e = Event{}
		}
	}
}

func (a *Answer) take(e Event, began time.Time) error {
	e.At = time.Now()
	a.Events = append(a.Events, e)
	if e.ID == 0 && e.Name == "error" {
		a.Lost++ // nothing can be learned of the answer now: it may be resumed
		if a.Seen != nil {
			a.Seen(e)
		}
		return nil
	}
	a.LastID = e.ID
	var data struct {
		Text       string
		Detail     string
		Citations  []law.Citation
		Validation struct {
			OK      bool
			Warning *string
		}
	}
	if err := json.Unmarshal([]byte(e.Data), &data); err != nil {
		return fmt.Errorf("event %s: %w", e.Name, err)
	}
	if a.Seen != nil {
		a.Seen(e)
	}
	switch e.Name {
	case "chunk":
		if a.First == 0 {
			a.First = time.Since(began)
		}
		a.Text += data.Text
	case "reset":
		a.Text = ""
	case "final":
		a.Ended, a.Citations, a.OK, a.Warning = true, data.Citations, data.Validation.OK, data.Validation.Warning
	case "error":
		a.Ended, a.Error = true, data.Detail
	}
	return nil
}
