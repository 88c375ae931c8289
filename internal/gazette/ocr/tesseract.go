package ocr

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/confine"
	"vigueur/internal/law"
)

// job is the recognition of one page.
type job struct {
	Reader
	program string
	dpi     float64
}

// Page segmentation modes of Tesseract.
const (
	psmOrientation = "0"
	psmAutomatic   = "3" // finds columns by itself
	psmBlock       = "6" // one column of lines
)

// recognize returns the words, in points on the upright picture, by how many degrees
// this picture leans, and the turn of the text in img. Tesseract reads lines that run
// downwards too, so French words alone do not show that a page is upright.
func (j job) recognize(ctx context.Context, img *image.Gray) (words []layout.Word, skew float64, turn layout.Rotation, err error) {
	words, skew, err = j.straight(ctx, img)
	var turns []layout.Rotation
	if side := layout.MainTurn(words); side != layout.Upright {
		turns = []layout.Rotation{side, (side + 2) % layout.Askew} // it reads lines that run upwards as if they ran downwards
	} else if err == nil && !legible(words) {
		if told, failed := j.orientation(ctx, img); failed == nil && told != layout.Upright { // there may be too little text to detect it
			turns = []layout.Rotation{told}
		}
	}
	for _, t := range turns {
		again, leaning, failed := j.straight(ctx, unturn(img, t))
		if failed != nil {
			return nil, 0, 0, failed
		}
		if legible(again) || better(again, words) {
			words, skew, turn = again, leaning, t
		}
		if legible(again) {
			break
		}
	}
	return words, skew, turn, err
}

// legible reports whether words look like French.
func legible(words []layout.Word) bool {
	return len(words) > 0 && layout.Judge(words).Stop >= 0.2
}

// better reports whether a reads more like text than b.
func better(a, b []layout.Word) bool {
	x, y := layout.Judge(a), layout.Judge(b)
	return x.Stop*float64(x.Words) > y.Stop*float64(y.Words)
}

// straight recognizes a picture whose text runs from left to right. It straightens the
// picture before if it leans by more than bearable.
func (j job) straight(ctx context.Context, img *image.Gray) ([]layout.Word, float64, error) {
	skew := skewOf(img)
	turned := 0.0
	if math.Abs(skew) > bearable {
		img, turned = lean(img, -skew), skew
	}
	out, err := j.run(ctx, img, "-l", language, "--psm", psmAutomatic, "tsv")
	if err != nil {
		return nil, 0, err
	}
	words := parseTSV(out, 72/j.dpi)
	size := img.Rect.Size()
	w, h := float64(size.X)*72/j.dpi, float64(size.Y)*72/j.dpi
	for i := range words {
		words[i].Rect = layout.Lean(words[i].Rect, turned, w, h)
	}
	return words, skew, nil
}

// orientation asks Tesseract for the turn of the text of img.
func (j job) orientation(ctx context.Context, img *image.Gray) (layout.Rotation, error) {
	out, err := j.run(ctx, img, "--psm", psmOrientation)
	if err != nil {
		return 0, err
	}
	return parseOrientation(out), nil
}

// parseOrientation returns the turn of the text according to Tesseract's report. The
// report's « Rotate » is by how many degrees clockwise the picture must be turned to
// make the text upright, so the text is turned by 360 degrees less this number.
func parseOrientation(report []byte) layout.Rotation {
	for line := range strings.Lines(string(report)) {
		if v, ok := strings.CutPrefix(line, "Rotate:"); ok {
			n, err := strconv.Atoi(strings.TrimSpace(v))
			if err == nil && n%90 == 0 && n >= 0 && n < 360 {
				return layout.Rotation((4 - n/90) % 4)
			}
		}
	}
	return layout.Upright
}

// run starts tesseract on img and returns its output.
func (j job) run(ctx context.Context, img *image.Gray, args ...string) ([]byte, error) {
	args = append([]string{"stdin", "stdout", "--dpi", strconv.Itoa(int(j.dpi + 0.5))}, args...)
	cmd, err := j.command(ctx, j.program, args...)
	if err != nil {
		return nil, err
	}
	var out, said bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = pgm(img), &out, &said
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("tesseract: %w: %.300s", err, said.String())
	}
	return out.Bytes(), nil
}

// pgm returns img as a portable grey map, an uncompressed format that is quick to write.
func pgm(img *image.Gray) *bytes.Buffer {
	size := img.Rect.Size()
	b := bytes.NewBuffer(make([]byte, 0, size.X*size.Y+32))
	fmt.Fprintf(b, "P5\n%d %d\n255\n", size.X, size.Y)
	for y := range size.Y {
		b.Write(img.Pix[y*img.Stride:][:size.X])
	}
	return b
}

// Values of the column « level » in Tesseract's table.
const (
	levelLine = "4"
	levelWord = "5"
)

// dirt is the confidence (0 to 100) below which a word without a letter or digit is
// dropped as dirt on the page.
const dirt = 40

// parseTSV reads the words of Tesseract's table, scaled from pixels to points.
func parseTSV(table []byte, scale float64) []layout.Word {
	return slices.Concat(parseLines(table, scale)...)
}

// parseLines reads the words of Tesseract's table line by line, scaled from pixels to points.
// Each word gets the height of its line, because Tesseract's box of a word is only as
// high as the letters that happen to be in the word. Other text than rows of such a
// table is skipped.
func parseLines(table []byte, scale float64) [][]layout.Word {
	var lines [][]layout.Word
	var words []layout.Word
	var line law.Rect
	end := func() {
		if len(words) > 0 {
			raise(words, line)
			turnLine(words)
			lines = append(lines, words)
		}
		words = nil
	}
	for row := range strings.Lines(string(table)) {
		f := strings.SplitN(strings.TrimRight(row, "\r\n"), "\t", 12)
		if len(f) < 12 || f[0] != levelLine && f[0] != levelWord {
			continue
		}
		r, ok := box(f[6:10], scale)
		if !ok {
			continue
		}
		if f[0] == levelLine {
			end()
			line = r
			continue
		}
		text := strings.TrimSpace(f[11])
		conf, err := strconv.ParseFloat(f[10], 64)
		if err != nil || conf < 0 || conf < dirt && !hasWord(text) || strings.Trim(text, "|¦") == "" {
			continue // « | » and « ¦ » alone are a rule between columns
		}
		words = append(words, layout.Word{Text: text, Rect: r})
	}
	end()
	return lines
}

// turnLine sets the turn of a line that runs downwards or upwards.
func turnLine(words []layout.Word) {
	if !layout.Sideways(words) {
		return
	}
	turn := layout.Down
	if last := words[len(words)-1]; last.Rect[1] < words[0].Rect[1] {
		turn = layout.Up
	}
	for i := range words {
		words[i].Turn = turn
	}
}

// raise gives all words of a line the height of the line's box. It does nothing if that
// box is so high that Tesseract took two lines, or a line and a stain, for one line.
func raise(words []layout.Word, line law.Rect) {
	tall := 0.0
	for i := range words {
		tall = max(tall, words[i].Rect[3]-words[i].Rect[1])
	}
	if line[3]-line[1] > 1.8*tall {
		return
	}
	for i := range words {
		r := &words[i].Rect
		r[1], r[3] = min(r[1], line[1]), max(r[3], line[3])
	}
}

// box returns the rectangle of the fields left, top, width and height of a row.
func box(f []string, scale float64) (law.Rect, bool) {
	var v [4]float64
	for i := range v {
		n, err := strconv.Atoi(f[i])
		if err != nil || n < 0 || n > 1<<20 {
			return law.Rect{}, false
		}
		v[i] = float64(n) * scale
	}
	return law.Rect{hundredth(v[0]), hundredth(v[1]), hundredth(v[0] + v[2]), hundredth(v[1] + v[3])}, true
}

func hundredth(x float64) float64 { return math.Round(x*100) / 100 }

func hasWord(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// envProgram names the variable with the path of tesseract, the program that a child becomes. The
// child passes its own arguments to tesseract.
const envProgram = "VIGUEUR_OCR_CHILD"

// exitConfine is the exit code of a child that could not be confined or become tesseract.
const exitConfine = 72

// Main confines this process and replaces it by tesseract, if the process was started for that.
// Otherwise Main returns at once. Every program that recognizes pages must call Main first in its
// main function, and every package that does, in its TestMain.
func Main() {
	program := os.Getenv(envProgram)
	if program == "" {
		return
	}
	p := policy(program)
	err := p.Apply()
	if err == nil {
		err = p.Start(os.Args[1:], environ())
	}
	fmt.Fprintln(os.Stderr, "confine tesseract:", err)
	os.Exit(exitConfine)
}

// policy is what tesseract may do. It may read its language data and its libraries, which are below
// the prefix of program (/usr for /usr/bin/tesseract) or in the system's folders. It may not write
// to any file: it gets the picture from one pipe and writes the words to another.
func policy(program string) confine.Policy {
	if real, err := filepath.EvalSymlinks(program); err == nil {
		program = real
	}
	prefix := filepath.Dir(filepath.Dir(program))
	read := []string{"/etc/ld.so.cache", "/sys/devices/system/cpu", "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib"}
	for _, folder := range []string{"lib", "lib64", "share/tessdata", "share/tesseract-ocr"} {
		read = append(read, filepath.Join(prefix, folder))
	}
	if data := os.Getenv(envData); data != "" {
		read = append(read, data)
	}
	return confine.Policy{
		Read: read, Program: program,
		AddressSpace: 3 << 30, // three times what the largest picture, full of noise, needs
		CPUSeconds:   900,     // more than the longest timeout of a page
		OpenFiles:    64,
	}
}

// envData is the variable with the folder of tesseract's language data, if this is not the folder
// that was compiled into tesseract.
const envData = "TESSDATA_PREFIX"

// environ is the environment of tesseract. The child that becomes tesseract has it too.
func environ() []string {
	env := []string{"OMP_THREAD_LIMIT=1", "LC_ALL=C"}
	if v := os.Getenv(envData); v != "" {
		env = append(env, envData+"="+v)
	}
	return env
}

// command returns a command that starts tesseract. On Linux, tesseract is confined.
func (r Reader) command(ctx context.Context, program string, args ...string) (*exec.Cmd, error) {
	if os.Getenv(envProgram) != "" {
		return nil, errors.New("start tesseract in the child for it: Main was not called first")
	}
	if r.free || runtime.GOOS != "linux" {
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Env, cmd.WaitDelay = append(environ(), "PATH="+os.Getenv("PATH")), lastOutput
		return cmd, nil
	}
	program, err := filepath.Abs(program)
	if err != nil {
		return nil, err
	}
	self, err := confine.Self()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Env, cmd.WaitDelay = append(environ(), envProgram+"="+program, "GOMAXPROCS=1"), lastOutput
	cmd.Dir, cmd.SysProcAttr = "/", confine.Attributes(false)
	return cmd, nil
}

// lastOutput is how long the parent waits for the rest of the output after tesseract has ended.
const lastOutput = 5 * time.Second

// Leans of a page, in degrees. A page that leans up to bearable is not straightened:
// Tesseract reads it as well as a straight page, and faster, because the edges of a
// turned picture are less sharp.
const (
	maxSkew  = 5.0 // the largest lean that skewOf looks for
	minSkew  = 0.2 // the smallest lean that skewOf reports
	bearable = 0.5
)

// skewOf returns by how many degrees the text of img leans clockwise, 0 if the text is
// straight or has no lines. This is the angle at which the rows of pixels differ most,
// with ink in the lines of text and none between them (Postl's projection profile).
func skewOf(img *image.Gray) float64 {
	xs, ys, height := ink(img)
	if len(xs) < 500 {
		return 0
	}
	best, most := 0.0, -1.0
	try := func(deg float64) {
		if s := unevenness(xs, ys, height, deg); s > most*(1+1e-9) {
			best, most = deg, s
		}
	}
	try(0)
	for deg := -maxSkew; deg <= maxSkew; deg += 0.25 {
		try(deg)
	}
	around := best
	for d := -0.2; d <= 0.2; d += 0.05 {
		try(around + d)
	}
	if math.Abs(best) < minSkew || math.Abs(best) > maxSkew {
		return 0
	}
	return math.Round(best*100) / 100
}

// ink returns the coordinates of the dark pixels of img, reduced to a width of about
// 800 pixels, and the height of the reduced picture.
func ink(img *image.Gray) (xs, ys []float64, height int) {
	size := img.Rect.Size()
	step := max(1, size.X/800)
	sum, n := 0, 0
	for y := 0; y < size.Y; y += 4 * step {
		for x := 0; x < size.X; x += 4 * step {
			sum += int(img.Pix[y*img.Stride+x])
			n++
		}
	}
	if n == 0 {
		return nil, nil, 0
	}
	dark := byte(float64(sum) / float64(n) * 0.6)
	for y := 0; y < size.Y; y += step {
		for x := 0; x < size.X; x += step {
			if img.Pix[y*img.Stride+x] < dark {
				xs, ys = append(xs, float64(x/step)), append(ys, float64(y/step))
			}
		}
	}
	return xs, ys, size.Y / step
}

// unevenness shears the page by deg degrees, counts the dark pixels of each row, and
// returns the sum of the squares of these counts.
func unevenness(xs, ys []float64, height int, deg float64) float64 {
	slope := math.Tan(deg * math.Pi / 180)
	rows := make([]int, 3*height+2)
	for i, x := range xs {
		pos := int(ys[i]-x*slope) + height
		if pos >= 0 && pos < len(rows) {
			rows[pos]++
		}
	}
	sum := 0.0
	for _, n := range rows {
		sum += float64(n) * float64(n)
	}
	return sum
}

// lean turns img about its center by deg degrees clockwise. Uncovered corners become
// white.
func lean(img *image.Gray, deg float64) *image.Gray {
	size := img.Rect.Size()
	out := image.NewGray(image.Rect(0, 0, size.X, size.Y))
	sin, cos := math.Sincos(deg * math.Pi / 180)
	cx, cy := float64(size.X)/2, float64(size.Y)/2
	const one = 1 << 16 // coordinates are in 65,536ths of a pixel
	stepX, stepY := int(cos*one), int(-sin*one)
	for y := range size.Y {
		dy := float64(y) - cy
		// The source of the row's first pixel. The source of each further pixel is one step on.
		sx, sy := int((cx-cx*cos+dy*sin)*one), int((cy+cx*sin+dy*cos)*one)
		row := out.Pix[y*out.Stride:][:size.X]
		for x := range row {
			row[x] = sample(img, size, sx, sy)
			sx, sy = sx+stepX, sy+stepY
		}
	}
	return out
}

// sample returns the grey of img at x and y, in 65,536ths of a pixel, interpolated
// from four pixels. It returns white outside of img.
func sample(img *image.Gray, size image.Point, x, y int) byte {
	x0, y0 := x>>16, y>>16
	if x0 < 0 || y0 < 0 || x0 >= size.X-1 || y0 >= size.Y-1 {
		return 255
	}
	fx, fy := x>>8&255, y>>8&255
	p := img.Pix[y0*img.Stride+x0:]
	q := p[img.Stride:]
	top := int(p[0])*(256-fx) + int(p[1])*fx
	low := int(q[0])*(256-fx) + int(q[1])*fx
	return byte((top*(256-fy) + low*fy + 1<<15) >> 16)
}

// unturn turns img by quarter turns so that text of turn t becomes upright.
func unturn(img *image.Gray, t layout.Rotation) *image.Gray {
	size := img.Rect.Size()
	point := size
	if t == layout.Down || t == layout.Up {
		point = image.Pt(size.Y, size.X)
	}
	out := image.NewGray(image.Rect(0, 0, point.X, point.Y))
	for y := range size.Y {
		for x := range size.X {
			u, v := x, y
			switch t {
			case layout.Down:
				u, v = y, size.X-1-x
			case layout.Over:
				u, v = size.X-1-x, size.Y-1-y
			case layout.Up:
				u, v = size.Y-1-y, x
			}
			out.Pix[v*out.Stride+u] = img.Pix[y*img.Stride+x]
		}
	}
	return out
}
