package page

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"vigueur/e2e/browser"
)

// filesUnderWay are as many as an operator adds on the first day, filesListed as many as one screen shows of them.
const filesUnderWay, filesListed = 200, 70

// saveTime is after how long a save hangs, as it did for thirty seconds where each file had a stream. What it takes is told in
// the log.
const saveTime = 15 * time.Second

// readElsewhere puts files under way that another worker reads: some pages of several come each moment.
func (v *visit) readElsewhere(n int) {
	v.t.Helper()
	ctx, stop := context.WithCancel(v.t.Context())
	ended := make(chan struct{})
	v.t.Cleanup(func() {
		stop()
		<-ended
		if err := v.service.Query(context.WithoutCancel(ctx), `WITH gone AS (DELETE FROM ingestions WHERE filename LIKE 'volume-%' RETURNING 1) SELECT count(*) FROM gone`, new(int)); err != nil {
			v.t.Error(err)
		}
	})
	must(v.t, v.service.Query(ctx, fmt.Sprintf(`WITH made AS (INSERT INTO ingestions (id, sha256, filename, size, state, stage, lease_until, attempt, pages_done, pages_total, created_at)
		SELECT gen_random_uuid(), repeat(md5(i::text), 2), 'volume-' || i || '-du-journal-officiel-de-la-republique.pdf', 1, 'running', 'pages', now() + interval '1 hour', 1, i %% 40, 1400, now() - i * interval '1 second'
		FROM generate_series(1, %d) i RETURNING 1) SELECT count(*) FROM made`, n), new(int)))
	go func() {
		defer close(ended)
		for tick := time.NewTicker(250 * time.Millisecond); ; {
			select {
			case <-ctx.Done():
				tick.Stop()
				return
			case <-tick.C:
				_ = v.service.Query(ctx, `WITH read AS (UPDATE ingestions SET pages_done = pages_done + 1, updated_at = clock_timestamp()
					WHERE filename LIKE 'volume-%' AND random() < 0.05 RETURNING 1) SELECT count(*) FROM read`, new(int)) // a later moment tells it
			}
		}
	}()
}

// saves measures three saves, by the page's own clock, each from what it does until something is so. One of them is answered in time; other
// work of the machine may fall on the others.
func (v *visit) saves(what string, save func(turn int) (act, so string)) {
	v.t.Helper()
	var took []float64
	for turn := range 3 {
		act, so := save(turn)
		ms, err := browser.Eval[float64](v.Tab, `new Promise((resolve) => {
			const begun = performance.now()
			`+act+`
			const look = () => `+so+` || performance.now() > begun + 30_000 ? resolve(Math.round(performance.now() - begun)) : setTimeout(look, 10)
			look()
		})`)
		must(v.t, err)
		took = append(took, ms)
	}
	v.t.Logf("%s: %v ms", what, took)
	if slices.Min(took) > float64(saveTime.Milliseconds()) {
		v.t.Errorf("%s takes %v ms while %d files are under way", what, took, filesUnderWay)
	}
}

// streams waits until a number of streams of all files is open, and none of one file.
func (v *visit) streams(n int) {
	v.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for until := time.Now().Add(20 * time.Second); v.Loading("/ingestion-events") != n || v.Loading("/events") != 0; <-tick.C {
		if time.Now().After(until) {
			v.t.Fatalf("%d streams of all files are open, and %d of one", v.Loading("/ingestion-events"), v.Loading("/events"))
		}
	}
}

// Two hundred files are read: every screen opens, keeps its bounds and shows no more of them than it can, one stream tells of them all,
// and a save is answered at once.
func TestScreensWhileFilesAreRead(t *testing.T) {
	v := atPage(t)
	source := axe(t)
	v.signIn("/connexion?suite=/admin", admin)
	v.readElsewhere(filesUnderWay)
	must(t, v.Open("/admin"), v.See("200 gazettes en cours"))
	v.streams(1)
	shown, err := browser.Eval[int](v.Tab, `document.querySelectorAll(".rows .file").length`)
	must(t, err)
	if shown > filesListed {
		t.Errorf("the list shows %d files", shown)
	}
	pages := `[...document.querySelectorAll(".rows .file progress")].map((p) => p.value).join()`
	_, err = browser.Eval[any](v.Tab, `void (window.pagesThen = `+pages+`)`)
	must(t, err, v.Await(pages+` !== window.pagesThen`)) // how they come on is told
	v.look(source, []screen{{"gazettes-en-cours", "", nil}})

	v.saves("a file is sent", func(i int) (act, so string) {
		herb := []string{"thym", "laurier", "safran"}[i]
		name := herb + ".pdf"
		file, err := os.ReadFile(undated(t, name, decree{fmt.Sprintf("Décret n° 2024-94%d", i), "fixant le prix du " + herb, "Le prix du " + herb + " est fixé à deux écus le kilogramme."}))
		must(t, err)
		return `const input = document.querySelector("input[type=file]"), dropped = new DataTransfer()
			dropped.items.add(new File([Uint8Array.from(atob("` + base64.StdEncoding.EncodeToString(file) + `"), (c) => c.charCodeAt())], "` + name + `"))
			input.files = dropped.files
			input.dispatchEvent(new Event("change", { bubbles: true }))`,
			`[...document.querySelectorAll(".drop li")].some((l) => l.textContent.includes("` + name + `") && !/Envoi…|En attente/.test(l.textContent))`
	})
	_, err = browser.Eval[any](v.Tab, `(() => { const real = window.fetch, dropped = new DataTransfer(), input = document.querySelector("input[type=file]")
		window.fetch = async (request, init) => String(request.url ?? request).endsWith("/admin/documents") ? new Response(JSON.stringify({ ingestion_id: crypto.randomUUID() }), { status: 202 }) : real(request, init)
		for (let i = 0; i < 40; i++) dropped.items.add(new File(["%PDF-" + i], "lot-" + i + ".pdf"))
		input.files = dropped.files
		input.dispatchEvent(new Event("change", { bubbles: true })) })()`)
	must(t, err, v.See("43 gazettes reçues sur 43."), v.Await(`document.querySelectorAll(".drop li").length === 1`)) // many are told in a line
	must(t, v.Open("/admin"), v.Await(`document.querySelectorAll(".file.review").length === 3`))                     // the stream tells of them too
	v.look(source, []screen{
		{"atelier-en-cours", "", func(v *visit) error {
			return first(v.Press("volume-1-du-journal-officiel-de-la-republique.pdf"), v.Has(".desk-head .advance"))
		}},
		{"relecture-en-cours", "/admin/relecture", func(v *visit) error { return v.Await(`document.querySelectorAll("li.review-row").length === 3`) }},
	})
	v.saves("a doubt is settled", func(int) (act, so string) {
		must(t, v.Fill(`document.querySelector("li.review-row input[type=date]")`, "2024-07-01"), v.Click("li.review-row input[type=checkbox]"), v.Has(".batch-bar .main:enabled"))
		return `const rows = document.querySelectorAll("li.review-row").length; document.querySelector(".batch-bar .main").click()`, `document.querySelectorAll("li.review-row").length < rows`
	})
	must(t, v.Open("/admin/textes"), v.Type("#find-text", "fixant le prix du"), v.Has(".rows li"))
	v.saves("a text is corrected", func(i int) (act, so string) {
		must(t, v.Await(`!document.querySelector("dialog")`), v.ClickOn(`[...document.querySelectorAll(".rows li button")].find((b) => b.innerText === "Corriger")`), v.Type("dialog textarea", fmt.Sprintf("Décret fixant le prix du sel, %d", i)))
		return `document.querySelector("dialog [type=submit]").click()`, `!document.querySelector("dialog")`
	})
	must(t, v.Open("/admin/files"), v.Has("tbody tr"), v.Open("/admin/chiffres"), v.See("Questions sans réponse sûre"), v.Open("/textes"), v.Has(".texts li"))
	v.streams(0)                   // who looks elsewhere follows nothing
	v.blameless("404 (Not Found)") // a page that is not read yet
}
