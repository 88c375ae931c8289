package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const looksEvery = 2 * time.Second

// prometheus is a server of its own that looks at the programs of a system.
type prometheus struct {
	address string
	cmd     *exec.Cmd
	targets string // file that names what is looked at; read again when it changes
	seen    []string
}

// watchBy starts the program at path on a folder of its own.
func watchBy(ctx context.Context, path, dir string) (*prometheus, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	dir = filepath.Join(dir, "prometheus")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	p := &prometheus{address: address, targets: filepath.Join(dir, "targets.json")}
	config := fmt.Sprintf("global: {scrape_interval: %s}\nscrape_configs:\n  - job_name: vigueur\n    file_sd_configs: [{files: [%q], refresh_interval: 1s}]\n", looksEvery, p.targets)
	settings := filepath.Join(dir, "prometheus.yaml")
	if err := errors.Join(os.WriteFile(settings, []byte(config), 0o600), os.WriteFile(p.targets, []byte("[]"), 0o600)); err != nil {
		return nil, err
	}
	p.cmd = exec.CommandContext(ctx, path, "--config.file="+settings, "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+address, "--log.level=error")
	p.cmd.Stderr = os.Stderr
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	for until := time.Now().Add(30 * time.Second); time.Now().Before(until); {
		if r, err := http.Get("http://" + address + "/-/ready"); err == nil {
			_ = r.Body.Close() // the status is all
			if r.StatusCode == http.StatusOK {
				return p, nil
			}
		}
		if !sleep(ctx, 100*time.Millisecond) {
			break
		}
	}
	p.Close()
	return nil, errors.New("the Prometheus server does not start")
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// Close ends the server.
func (p *prometheus) Close() {
	_ = p.cmd.Process.Kill() // its data is not kept
	_ = p.cmd.Wait()
}

// look adds a program to what is looked at.
func (p *prometheus) look(address string) error {
	p.seen = append(p.seen, address)
	list, err := json.Marshal([]map[string][]string{{"targets": p.seen}})
	if err != nil {
		return err
	}
	if err := os.WriteFile(p.targets+".new", list, 0o600); err != nil {
		return err
	}
	return os.Rename(p.targets+".new", p.targets)
}

// series is what a query gave of one set of labels: a value at each moment, seconds since 1970.
type series struct {
	Metric map[string]string `json:"metric"`
	Values []point           `json:"values"`
}

type point struct{ at, value float64 }

// UnmarshalJSON reads [seconds, "value"].
func (p *point) UnmarshalJSON(data []byte) error {
	var pair [2]json.RawMessage
	if err := json.Unmarshal(data, &pair); err != nil {
		return err
	}
	var text string
	if err := errors.Join(json.Unmarshal(pair[0], &p.at), json.Unmarshal(pair[1], &text)); err != nil {
		return err
	}
	var err error
	p.value, err = strconv.ParseFloat(text, 64)
	return err
}

// ask returns what a query is over a time.
func (p *prometheus) ask(ctx context.Context, query string, from, to time.Time) ([]series, error) {
	form := url.Values{"query": {query}, "start": {seconds(from)}, "end": {seconds(to)}, "step": {"1"}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+p.address+"/api/v1/query_range", strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	var said struct {
		Error string
		Data  struct{ Result []series }
	}
	err = errors.Join(json.NewDecoder(r.Body).Decode(&said), r.Body.Close())
	if said.Error != "" {
		err = fmt.Errorf("%s: %s", query, said.Error)
	}
	return said.Data.Result, err
}

func seconds(t time.Time) string { return strconv.FormatFloat(float64(t.UnixMilli())/1000, 'f', 3, 64) }
