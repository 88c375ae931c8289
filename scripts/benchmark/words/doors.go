package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"vigueur/e2e/stage"
	"vigueur/scripts/benchmark/report"
)

// atBoth is how many articles both doors give.
const atBoth = 10

// twoDoors asks each query over REST and of the tool over the Model Context Protocol, each once
// before. Both find as many articles. The report has both times, and how much later the second
// door answers the same query.
func twoDoors(ctx context.Context, r *report.Report, client *stage.Client, s set) error {
	var rest, tool, later []time.Duration
	for round := range 3 {
		for _, q := range s.queries {
			began := time.Now()
			found, err := atREST(ctx, client, q)
			if err != nil {
				return err
			}
			first := time.Since(began)
			began = time.Now()
			same, err := atMCP(ctx, client, q)
			if err != nil {
				return err
			}
			second := time.Since(began)
			if found != same {
				return fmt.Errorf("%s: REST finds %d articles, the tool %d", q, found, same)
			}
			if round > 0 {
				rest, tool, later = append(rest, first), append(tool, second), append(later, second-first)
			}
		}
	}
	for _, door := range []struct {
		name string
		took []time.Duration
	}{{"rest", rest}, {"mcp", tool}, {"mcp_later", later}} {
		r.Figure(door.name+"_p50_ms", report.Quantile(door.took, .5), "ms")
		r.Figure(door.name+"_p99_ms", report.Quantile(door.took, .99), "ms")
	}
	return nil
}

func atREST(ctx context.Context, client *stage.Client, q string) (total int, err error) {
	var body struct{ Total int }
	err = client.JSON(ctx, "GET", fmt.Sprintf("/api/v1/search?kind=article&page_size=%d&q=%s", atBoth, url.QueryEscape(q)), nil, &body)
	return body.Total, err
}

func atMCP(ctx context.Context, client *stage.Client, q string) (total int, err error) {
	type object map[string]any
	var body struct {
		Result struct {
			IsError bool
			Content []struct{ Text string }
		}
	}
	err = client.JSON(ctx, "POST", "/mcp", object{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": object{"name": "search_articles", "arguments": object{"query": q, "limit": atBoth}}}, &body)
	if err != nil {
		return 0, err
	}
	if body.Result.IsError || len(body.Result.Content) != 1 {
		return 0, fmt.Errorf("%s: the tool says %+v", q, body.Result)
	}
	var found struct{ Total int }
	err = json.Unmarshal([]byte(body.Result.Content[0].Text), &found)
	return found.Total, err
}
