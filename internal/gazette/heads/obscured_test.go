package heads

import "testing"

func TestReadObscured(t *testing.T) {
	t.Parallel()
	if _, err := ReadObscured([]byte("[]")); err == nil {
		t.Error("a list was read")
	}
	for _, name := range ObscuredNames() {
		if Standard().Weights[name] == 0 {
			t.Errorf("nothing was learned of %q", name)
		}
	}
}
