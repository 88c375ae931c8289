package pdftext

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"runtime"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// memoryPages bounds the memory that a file can make the engine allocate, in
// WebAssembly pages of 64 KiB: 1 GiB.
const memoryPages = 16384

// engine is one instance of PDFium in WebAssembly. It does not use the wrapper that
// go-pdfium puts around each function: the wrapper allocates and frees out parameters
// for every character of a page, which costs five times as much as the work itself.
//
// A trap inside PDFium leaves its memory in an unknown state, so every failing
// call panics with a trap; the child then ends, and the parent starts another one.
type engine struct {
	ctx   context.Context
	mod   api.Module
	mem   api.Memory
	fns   map[string]function
	stack [12]uint64
	out   uint32 // scratch for out parameters
}

// function is a function of PDFium. Its lookup and the question whether it returns a
// result cost as much as a short call, so both are kept.
type function struct {
	api.Function
	gives bool // a result
}

// trap is what a failed call panics with.
type trap struct{ err error }

// scratch is the size of engine.out in bytes.
const scratch = 512

// library is the compiled code of PDFium.
type library struct {
	ctx  context.Context
	pool pdfium.Pool
	last pdfium.Pdfium // the instance in use; nil: none
}

// newLibrary compiles PDFium, which gets no file system and no output. Compiled code
// is kept in cacheDir. If cacheDir is empty or unusable, PDFium is compiled anew,
// which takes about two seconds.
func newLibrary(ctx context.Context, cacheDir string) (*library, error) {
	conf := wazero.NewRuntimeConfig().WithMemoryLimitPages(memoryPages)
	if cacheDir != "" {
		if cache, err := wazero.NewCompilationCacheWithDir(cacheDir); err == nil {
			conf = conf.WithCompilationCache(cache)
		}
	}
	ctx = withMemory(experimental.WithCompilationWorkers(ctx, runtime.GOMAXPROCS(0)))
	pool, err := webassembly.Init(webassembly.Config{
		Context: ctx, MinIdle: 0, MaxIdle: 1, MaxTotal: 1,
		FSConfig: wazero.NewFSConfig(), RuntimeConfig: conf,
		Stdout: io.Discard, Stderr: io.Discard,
	})
	if err != nil {
		return nil, fmt.Errorf("start PDFium: %w", err)
	}
	return &library{ctx: ctx, pool: pool}, nil
}

// fresh closes the previous engine, which frees its memory, and returns a new engine
// with new memory.
func (l *library) fresh() (*engine, error) {
	if l.last != nil {
		if err := l.last.Close(); err != nil {
			return nil, fmt.Errorf("end PDFium: %w", err)
		}
		l.last = nil
	}
	inst, err := l.pool.GetInstanceWithContext(l.ctx)
	if err != nil {
		return nil, fmt.Errorf("start PDFium: %w", err)
	}
	l.last = inst
	mod, err := moduleOf(inst.GetImplementation())
	if err != nil {
		return nil, err
	}
	e := &engine{ctx: l.ctx, mod: mod, mem: mod.Memory(), fns: map[string]function{}}
	e.out = uint32(e.call("malloc", scratch))
	return e, nil
}

// moduleOf takes the WebAssembly module out of impl, go-pdfium's implementation. Its
// type is internal, but its field Module is exported.
func moduleOf(impl any) (api.Module, error) {
	v := reflect.Indirect(reflect.ValueOf(impl))
	if v.Kind() == reflect.Struct {
		if f := v.FieldByName("Module"); f.IsValid() && f.CanInterface() {
			if mod, ok := f.Interface().(api.Module); ok {
				return mod, nil
			}
		}
	}
	return nil, errors.New("this version of go-pdfium does not give its module")
}

// call calls an exported function of PDFium and returns its result, 0 if the function
// has no result.
func (e *engine) call(name string, args ...uint64) uint64 { return e.run(e.function(name), args...) }

// function returns an exported function of PDFium, for run.
func (e *engine) function(name string) function {
	f, ok := e.fns[name]
	if !ok {
		f.Function = e.mod.ExportedFunction(name)
		if f.Function == nil {
			panic(trap{fmt.Errorf("PDFium has no %s", name)})
		}
		f.gives = len(f.Definition().ResultTypes()) > 0
		e.fns[name] = f
	}
	return f
}

// run is call for a function that was looked up, because it is called for every character.
func (e *engine) run(f function, args ...uint64) uint64 {
	copy(e.stack[:], args)
	if err := f.CallWithStack(e.ctx, e.stack[:]); err != nil {
		panic(trap{fmt.Errorf("%s: %w", f.Definition().Name(), err)})
	}
	if !f.gives {
		return 0
	}
	return e.stack[0]
}

// int is call for functions that return a C int.
func (e *engine) int(name string, args ...uint64) int {
	return int(int32(uint32(e.call(name, args...))))
}

// ok is call for functions that return an FPDF_BOOL.
func (e *engine) ok(name string, args ...uint64) bool {
	return uint32(e.call(name, args...)) != 0
}

// float32At reads the i-th C float of the scratch.
func (e *engine) float32At(i uint32) float64 {
	v, _ := e.mem.ReadFloat32Le(e.out + 4*i)
	return float64(v)
}

// float64At reads the C double at the i-th float of the scratch.
func (e *engine) float64At(i uint32) float64 {
	v, _ := e.mem.ReadFloat64Le(e.out + 4*i)
	return v
}

// uint32At reads the i-th C unsigned int of the scratch.
func (e *engine) uint32At(i uint32) uint32 {
	v, _ := e.mem.ReadUint32Le(e.out + 4*i)
	return v
}

// box reads the first four C floats of the scratch.
func (e *engine) box() (box [4]float64) {
	b, _ := e.mem.Read(e.out, 16) // the scratch is longer
	for i := range box {
		box[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
	}
	return box
}

// at is the address of the i-th C float or int of the scratch.
func (e *engine) at(i uint32) uint64 { return uint64(e.out + 4*i) }

// Results of FPDF_GetLastError that have a fault code of their own.
const (
	errPassword = 4
	errSecurity = 5
)

// open reads a file of size bytes from in and reports what is in the file. doc is its
// handle, 0 if it cannot be opened.
func (e *engine) open(r io.Reader, size int64) (doc uint64, hello reply) {
	pos, view := e.room(size)
	if view == nil {
		_, _ = io.CopyN(io.Discard, r, size) // the parent sends the whole file before it reads the reply
		return 0, reply{Fault: faultDamaged}
	}
	if _, err := io.ReadFull(r, view[:size]); err != nil {
		return 0, reply{Fault: faultDamaged}
	}
	whole := bytes.NewReader(view[:size])
	hello.Expect, hello.Cut = expectPages(whole, size), lacksEnd(whole, size)
	if doc, hello.Fault = e.load(pos, size); hello.Fault == faultDamaged {
		doc, hello.Fault = e.mend(pos, size)
	}
	if hello.Fault != "" {
		return 0, hello
	}
	hello.Pages = e.pages(doc)
	if hello.Pages <= 0 || hello.Cut && !e.anyPage(doc, hello.Pages) {
		hello.Fault = faultNoPages
	}
	return doc, hello
}

// room allocates memory in PDFium for a file of size bytes and a trailer. view is nil
// if PDFium has no such memory.
func (e *engine) room(size int64) (pos uint32, view []byte) {
	if size <= 0 || size > math.MaxInt32-repairBytes {
		return 0, nil
	}
	pos = uint32(e.call("malloc", uint64(size+repairBytes)))
	if pos == 0 {
		return 0, nil
	}
	view, _ = e.mem.Read(pos, uint32(size+repairBytes))
	return pos, view
}

// mend writes a new trailer after the file at address at, to replace a lost
// trailer, and opens the file.
func (e *engine) mend(pos uint32, size int64) (doc uint64, fault string) {
	// PDFium may have grown its memory since room, so the view that room returned may be stale.
	view, ok := e.mem.Read(pos, uint32(size+repairBytes))
	if !ok {
		return 0, faultDamaged
	}
	end := trailer(view[:size])
	if len(end) == 0 || len(end) > repairBytes {
		return 0, faultDamaged
	}
	copy(view[size:], end)
	return e.load(pos, size+int64(len(end)))
}

// load opens the file in PDFium's memory.
func (e *engine) load(pos uint32, size int64) (doc uint64, fault string) {
	doc = uint64(uint32(e.call("FPDF_LoadMemDocument", uint64(pos), uint64(size), 0)))
	if doc != 0 {
		return doc, ""
	}
	switch e.int("FPDF_GetLastError") {
	case errPassword:
		return 0, faultPassword
	case errSecurity:
		return 0, faultSecurity
	}
	return 0, faultDamaged
}
