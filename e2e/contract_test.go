package e2e

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"vigueur/e2e/stage"
)

// contractExamples is how many requests of random shape an operation gets, beside
// those of every shape that its document names, and contractScenarios in how many
// ways one request follows from the answer to another. CONTRACT_EXAMPLES stands in
// for both. How long they take decides nothing: with --max-time schemathesis begins
// anew until the time is spent, however early it has sent them all.
const (
	contractExamples  = "8"
	contractScenarios = "30"
)

// schemathesis finds the program that holds a server against its document; the
// test is skipped without it.
func schemathesis(t *testing.T) string {
	t.Helper()
	program := filepath.Join(stage.Root(), ".state", "schemathesis", "bin", "python")
	if _, err := os.Stat(program); err != nil {
		t.Skip("schemathesis is not installed: scripts/setup")
	}
	return program
}

// holdContract sends requests made from the document, good ones and bad ones,
// to a running server, and holds its answers against the document. The account
// is the one whose token is sent, which must not be closed.
func holdContract(t *testing.T, program string, api *stage.Process, account, examples string, args ...string) {
	t.Helper()
	if asked := os.Getenv("CONTRACT_EXAMPLES"); asked != "" {
		examples = asked
	}
	folder := filepath.Join(stage.Root(), "scripts", "schemathesis")
	cmd := exec.CommandContext(t.Context(), program, append([]string{
		"-m", "schemathesis.cli", "--config-file", filepath.Join(folder, "schemathesis.toml"), "--no-color",
		"run", api.URL + "/openapi.json", "--max-examples", examples,
	}, args...)...)
	cmd.Dir = t.TempDir() // it leaves files where it runs
	cmd.Env = append(os.Environ(), "PYTHONPATH="+folder, "PYTHONDONTWRITEBYTECODE=1", "SCHEMATHESIS_HOOKS=hooks", "CONTRACT_ACCOUNT="+account)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Errorf("the server is not as documented: %v\n%s", err, out.Bytes())
		return
	}
	t.Logf("%s", out.Bytes())
}

// The running service keeps to its document, whatever an administrator sends.
func TestContractHoldsForAnAdministrator(t *testing.T) {
	t.Parallel()
	program := schemathesis(t)
	s := openSample(t)
	startWorker(t, s)
	api := startAPI(t, s)
	const admin = "admin@exemple.org"
	if err := s.AddUser(t.Context(), admin, "admin"); err != nil {
		t.Fatal(err)
	}
	client, err := s.ClientOf(t.Context(), api, admin)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.HTTP.CloseIdleConnections)
	if _, err := client.Ask(t.Context(), "Combien de temps dure le préavis d’un cadre ?", nil); err != nil {
		t.Fatal(err)
	}
	var me struct{ ID, Role string }
	if err := client.JSON(t.Context(), http.MethodGet, "/api/v1/auth/me", nil, &me); err != nil {
		t.Fatal(err)
	}
	authorized := []string{"--header", "Authorization: Bearer " + client.Token, "--phases"}
	holdContract(t, program, api, me.ID, contractExamples, append(authorized, "examples,coverage,fuzzing")...)
	holdContract(t, program, api, me.ID, contractScenarios, append(authorized, "stateful")...)
	// What was sent must not have taken the role away: then all the rest was 401 or 403.
	me.Role = ""
	if err := client.JSON(t.Context(), http.MethodGet, "/api/v1/auth/me", nil, &me); err != nil || me.Role != "admin" {
		t.Errorf("at the end the administrator is %q (%v)", me.Role, err)
	}
}

// Nor does it matter who sends it. What asks for a token refuses before it looks at anything else
// (TestEveryProtectedRouteRefusesTheAnonymous of httpapi), so only what does not is sent requests of every shape.
func TestContractHoldsForAnybody(t *testing.T) {
	t.Parallel()
	program := schemathesis(t)
	s := openSample(t)
	startWorker(t, s)
	api := startAPI(t, s)
	holdContract(t, program, api, "", contractExamples, "--phases", "examples")
	holdContract(t, program, api, "", contractExamples, "--phases", "coverage", "--include-by", "/security == []")
}
