// Command worker stands in for the queue process: it waits to be told to end, and ends with 9 when it finds a
// file called worker-ends.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	fmt.Println("worker waits")
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGTERM)
	for {
		select {
		case <-told:
			return
		case <-time.After(20 * time.Millisecond):
			if _, err := os.Stat("worker-ends"); err == nil {
				os.Exit(9)
			}
		}
	}
}
