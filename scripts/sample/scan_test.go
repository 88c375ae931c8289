package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"
)

func TestSkewTurnsAboutTheMiddle(t *testing.T) {
	t.Parallel()
	src := image.NewGray(image.Rect(0, 0, 401, 401))
	for i := range src.Pix {
		src.Pix[i] = 255
	}
	for x := range 401 {
		src.SetGray(x, 200, color.Gray{})
	}
	// A tangent of 1/100: over 100 pixels the line climbs or falls by 1.
	turned := skew(src, 0, 655)
	if got := turned.GrayAt(200, 200).Y; got > 10 {
		t.Errorf("the middle turned gray: %d", got)
	}
	if left, right := darkest(turned, 100), darkest(turned, 300); right-left != 2 && left-right != 2 {
		t.Errorf("the line is at %d on the left and %d on the right", left, right)
	}
	if same := skew(src, 0, 0); !bytes.Equal(same.Pix, src.Pix) {
		t.Error("no tilt must change nothing")
	}
	if wide := skew(src, 3, 0); wide.Rect.Dx() != 404 || wide.GrayAt(403, 200).Y != 255 {
		t.Errorf("%d pixels wide, gray %d at the right", wide.Rect.Dx(), wide.GrayAt(403, 200).Y)
	}
}

func darkest(img *image.Gray, x int) int {
	at := 0
	for y := range img.Rect.Dy() {
		if img.GrayAt(x, y).Y < img.GrayAt(x, at).Y {
			at = y
		}
	}
	return at
}

// The image is read back by another decoder than the code that wrote it.
func TestEncodePNG(t *testing.T) {
	t.Parallel()
	src := image.NewGray(image.Rect(0, 0, 5, 2))
	copy(src.Pix, []byte{0, 85, 170, 255, 40, 236, 128, 127, 10, 250})
	data, err := encodePNG(src)
	if err != nil {
		t.Fatal(err)
	}
	got, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	want := []byte{0, 85, 170, 255, 0, 255, 170, 85, 0, 255}
	for i, w := range want {
		if g, _, _, _ := got.At(i%5, i/5).RGBA(); byte(g>>8) != w {
			t.Errorf("pixel %d is %d, want %d", i, g>>8, w)
		}
	}
}
