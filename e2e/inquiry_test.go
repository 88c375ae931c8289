package e2e

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"vigueur/e2e/stage"
)

// Twelve inquiries at once over two servers while no worker runs; then Redis
// forgets every hint: five are taken, and each becomes a file.
func TestInquiriesAreLimitedAndToldOf(t *testing.T) {
	t.Parallel()
	s := open(t)
	apis := []*stage.Process{startAPI(t, s), startAPI(t, s)}
	var mu sync.Mutex
	var ids []string
	var all sync.WaitGroup
	limited := 0
	for i := range 12 {
		all.Go(func() {
			var made struct{ ID string }
			client := stage.Client{URL: apis[i%2].URL, HTTP: &http.Client{}}
			err := client.JSON(t.Context(), "POST", "/api/v1/business/inquiry", map[string]any{
				"company": "Étude Sène", "contact_name": "Aïssatou", "email": "a@etude.example", "use_case": fmt.Sprintf("Besoin n° %d", i)}, &made)
			var refused *stage.Refused
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				ids = append(ids, made.ID)
			case errors.As(err, &refused) && refused.Status == http.StatusTooManyRequests:
				limited++
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(ids) != 5 || limited != 7 {
		t.Fatalf("%d taken and %d refused, want 5 and 7", len(ids), limited)
	}
	if err := s.Redis.Flush(); err != nil {
		t.Fatal(err)
	}
	startWorker(t, s)
	for _, id := range ids {
		letter := awaitFile(t, filepath.Join(s.Dir, "mail", id+".eml"))
		if !strings.Contains(letter, "Message-ID: <inquiry."+id+"@") {
			t.Errorf("%s:\n%s", id, letter)
		}
	}
	if err := s.AddUser(t.Context(), "chef@exemple.org", "admin"); err != nil {
		t.Fatal(err)
	}
	client, err := s.ClientOf(t.Context(), apis[0], "chef@exemple.org")
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Items []struct {
			ID           string
			Notification struct {
				Attempts []struct{ Outcome string }
			}
		}
	}
	if err := client.JSON(t.Context(), "GET", "/api/v1/admin/inquiries", nil, &list); err != nil {
		t.Fatal(err)
	}
	if len(list.Items) != 5 {
		t.Errorf("%d inquiries in the list", len(list.Items))
	}
	for _, i := range list.Items {
		if len(i.Notification.Attempts) != 1 {
			t.Errorf("%s: attempts %v", i.ID, i.Notification.Attempts)
		}
	}
}

// awaitFile reads a file as soon as it is there.
func awaitFile(t *testing.T, path string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	for tick := time.NewTicker(20 * time.Millisecond); ; {
		data, err := os.ReadFile(path)
		if err == nil {
			tick.Stop()
			return string(data)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatal(err)
		}
	}
}
