package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/google/uuid"
	"github.com/hibiken/asynq"
)

const kind = "bench"

// asynqAlone is how long asynq takes from the death of a task's server to the
// task's next start.
func asynqAlone(ctx context.Context, redis string) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	to, err := asynq.ParseRedisURI(redis)
	if err != nil {
		return 0, err
	}
	client := asynq.NewClient(to)
	defer func() { _ = client.Close() }() // the figure is taken
	first, err := holder(ctx, redis)
	if err != nil {
		return 0, err
	}
	defer first.kill()
	if _, err := client.EnqueueContext(ctx, asynq.NewTask(kind, []byte(uuid.NewString())), asynq.Queue(kind), asynq.MaxRetry(3)); err != nil {
		return 0, err
	}
	if err := first.started(); err != nil {
		return 0, err
	}
	second, err := holder(ctx, redis)
	if err != nil {
		return 0, err
	}
	defer second.kill()
	first.kill()
	killed := time.Now()
	err = second.started()
	return time.Since(killed), err
}

// process is one that serves the peer's queue.
type process struct {
	cmd  *exec.Cmd
	says *bufio.Reader
}

func holder(ctx context.Context, redis string) (*process, error) {
	cmd := exec.CommandContext(ctx, os.Args[0], "-peer", redis)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &process{cmd, bufio.NewReader(out)}, cmd.Start()
}

// started waits until the process has the task.
func (p *process) started() error {
	line, err := p.says.ReadString('\n')
	if err != nil {
		return fmt.Errorf("the peer's process ended: %q: %w", line, err)
	}
	return nil
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may be dead
	_, _ = io.Copy(io.Discard, p.says)
	_ = p.cmd.Wait()
}

// hold serves the queue, says when it has a task, and keeps it.
func hold(redis string) error {
	to, err := asynq.ParseRedisURI(redis)
	if err != nil {
		return err
	}
	server := asynq.NewServer(to, asynq.Config{Concurrency: 1, Queues: map[string]int{kind: 1}, LogLevel: asynq.FatalLevel})
	return server.Run(asynq.HandlerFunc(func(ctx context.Context, _ *asynq.Task) error {
		fmt.Println("started")
		<-ctx.Done()
		return ctx.Err()
	}))
}
