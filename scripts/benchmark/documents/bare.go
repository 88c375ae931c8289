package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"vigueur/internal/law"
)

// startBare starts the peer as a process of its own and gives its address.
func startBare(ctx context.Context, url string) (address string, stop func(), err error) {
	self, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	cmd := exec.CommandContext(ctx, self, "-bare")
	cmd.Env, cmd.Stderr = append(os.Environ(), "VIGUEUR_DATABASE_URL="+url), os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = cmd.Process.Kill() // it holds nothing
		_ = cmd.Wait()
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return "", nil, errors.New("the peer did not start")
	}
	return strings.TrimSpace(line), stop, nil
}

// shown is a text as both sides write it.
type shown struct {
	ID             uuid.UUID   `json:"id"`
	Title          string      `json:"title"`
	Type           law.DocType `json:"doc_type"`
	Nature         string      `json:"nature"`
	Domain         string      `json:"domaine"`
	OfficialNumber string      `json:"numero_officiel"`
	Promulgated    string      `json:"date_promulgation"`
	EntersInForce  string      `json:"date_entree_vigueur"`
	Status         law.Status  `json:"statut"`
	SourceURL      string      `json:"url_source"`
	RepealedBy     *uuid.UUID  `json:"abroge_par"`
	Passages       int         `json:"chunks_count"`
}

// serveBare is the peer: no account is checked, nothing is logged, nothing is
// limited.
func serveBare(ctx context.Context) error {
	config, err := pgxpool.ParseConfig(os.Getenv("VIGUEUR_DATABASE_URL"))
	if err != nil {
		return err
	}
	config.ConnConfig.RuntimeParams["pg_trgm.word_similarity_threshold"] = "0.5"
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return err
	}
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	app.Get("/documents", func(c *fiber.Ctx) error {
		var active bool
		var version int
		if err := pool.QueryRow(c.Context(), `SELECT active, token_version FROM users WHERE email = lower($1)`, "essai@exemple.org").Scan(&active, &version); err != nil {
			return err
		}
		items, total, err := bareList(c.Context(), pool, c)
		if err != nil {
			return err
		}
		return c.JSON(fiber.Map{"items": items, "total": total, "page": c.QueryInt("page", 1), "page_size": c.QueryInt("page_size", 20)})
	})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", ln.Addr())
	return app.Listener(ln)
}

const titleColumns = `d.id, d.ingestion_id, d.title, d.doc_type, d.nature, d.domaine, d.numero_officiel, d.promulgated_on,
	d.in_force_on, d.statut, d.repealed_by, d.first_page, d.last_page, d.passages_count, d.superseded_by`

func bareList(ctx context.Context, pool *pgxpool.Pool, c *fiber.Ctx) (items []shown, total int, err error) {
	size := int64(c.QueryInt("page_size", 20))
	args := []any{pgx.QueryExecModeCacheDescribe, c.Query("domaine"), c.Query("doc_type"), c.Query("statut")}
	conditions := []string{"true"}
	if title := c.Query("q"); title != "" {
		args = append(args, title)
		conditions = []string{`d.title_folded LIKE '%' || replace(fold($4), '%', '\%') || '%'`, `d.title_folded %> fold($4)`}
	}
	var place string
	for _, fits := range conditions { // titles that contain, else titles that resemble
		place = ` FROM documents d WHERE NOT d.in_review AND ($1 = '' OR d.domaine = $1) AND ($2 = '' OR d.doc_type = $2) AND ($3 = '' OR d.statut = $3) AND ` + fits
		if err := pool.QueryRow(ctx, `SELECT count(*)`+place, args...).Scan(&total); err != nil {
			return nil, 0, err
		}
		if total > 0 {
			break
		}
	}
	rows, err := pool.Query(ctx, fmt.Sprintf(`SELECT %s FROM documents d JOIN (SELECT d.id%s ORDER BY d.promulgated_on DESC, d.id LIMIT %d OFFSET %d) page USING (id)
		ORDER BY d.promulgated_on DESC, d.id`, titleColumns, place, size, int64(c.QueryInt("page", 1)-1)*size), args...)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	for items = []shown{}; rows.Next(); {
		var s shown
		var d law.Document
		if err := rows.Scan(&s.ID, &d.IngestionID, &s.Title, &s.Type, &s.Nature, &s.Domain, &s.OfficialNumber, &d.Promulgated, &d.EntersInForce,
			&s.Status, &s.RepealedBy, &d.FirstPage, &d.LastPage, &s.Passages, &d.SupersededBy); err != nil {
			return nil, 0, err
		}
		s.Promulgated, s.EntersInForce = d.Promulgated.Format("2006-01-02"), d.EntersInForce.Format("2006-01-02")
		s.SourceURL = "http://127.0.0.1/api/v1/documents/" + s.ID.String() + "/file"
		items = append(items, s)
	}
	return items, total, rows.Err()
}
