package pdftext

import (
	"bytes"
	"context"
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

// memoryPages bounds what a file can make the engine allocate: 1 GiB.
const memoryPages = 16384

// engine is one PDFium in WebAssembly, called without the wrapper that go-pdfium
// puts around each function: that one allocates and frees its out parameters
// for every character of a page, five times the cost of the work itself.
//
// A trap inside PDFium leaves its memory in an unknown state, so every failing
// call panics with a trap; the child ends and the parent starts another.
type engine struct {
	ctx   context.Context
	mod   api.Module
	mem   api.Memory
	fns   map[string]function
	stack [12]uint64
	out   uint32 // scratch for out parameters
}

// function is one of PDFium's, with what asking for would cost as much as a short
// call.
type function struct {
	api.Function
	gives bool // a result
}

// trap is what a failed call panics with.
type trap struct{ err error }

// scratch is the size of engine.out in bytes.
const scratch = 512

// library is PDFium compiled.
type library struct {
	ctx  context.Context
	pool pdfium.Pool
	last pdfium.Pdfium // the instance in use; nil: none
}

// newLibrary compiles PDFium, with no file system and no output. Compiled code is
// kept in cacheDir; with an empty or unusable one it is compiled anew, which
// takes about two seconds.
func newLibrary(ctx context.Context, cacheDir string) (*library, error) {
	conf := wazero.NewRuntimeConfig().WithMemoryLimitPages(memoryPages)
	if cacheDir != "" {
		if cache, err := wazero.NewCompilationCacheWithDir(cacheDir); err == nil {
			conf = conf.WithCompilationCache(cache)
		}
	}
	ctx = experimental.WithCompilationWorkers(ctx, runtime.GOMAXPROCS(0))
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

// fresh returns an engine with a memory of its own, in place of the one before,
// whose memory is given up.
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

// moduleOf takes the WebAssembly module out of go-pdfium's implementation, whose
// type is internal though its field is public.
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

// call calls an exported function of PDFium and gives its result, 0 for none.
func (e *engine) call(name string, args ...uint64) uint64 {
	f, ok := e.fns[name]
	if !ok {
		f.Function = e.mod.ExportedFunction(name)
		if f.Function == nil {
			panic(trap{fmt.Errorf("PDFium has no %s", name)})
		}
		f.gives = len(f.Definition().ResultTypes()) > 0
		e.fns[name] = f
	}
	copy(e.stack[:], args)
	if err := f.CallWithStack(e.ctx, e.stack[:]); err != nil {
		panic(trap{fmt.Errorf("%s: %w", name, err)})
	}
	if !f.gives {
		return 0
	}
	return e.stack[0]
}

// int is call for functions that give a C int.
func (e *engine) int(name string, args ...uint64) int {
	return int(int32(uint32(e.call(name, args...))))
}

// ok is call for functions that give an FPDF_BOOL.
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

// at is the address of the i-th C float or int of the scratch.
func (e *engine) at(i uint32) uint64 { return uint64(e.out + 4*i) }

// Results of the FPDF_GetLastError that are told apart.
const (
	errPassword = 4
	errSecurity = 5
)

// open takes a file of size bytes from in, all of them in any case, and says what
// is in it; its handle is 0 when it cannot be opened.
func (e *engine) open(in io.Reader, size int64) (doc uint64, hello reply) {
	at, view := e.room(size)
	if view == nil {
		_, _ = io.CopyN(io.Discard, in, size) // whoever sends it waits for its end
		return 0, reply{Fault: faultDamaged}
	}
	if _, err := io.ReadFull(in, view[:size]); err != nil {
		return 0, reply{Fault: faultDamaged}
	}
	whole := bytes.NewReader(view[:size])
	hello.Expect, hello.Cut = expected(whole, size), cut(whole, size)
	if doc, hello.Fault = e.load(at, size); hello.Fault == faultDamaged {
		doc, hello.Fault = e.mended(at, size)
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

// room is memory of PDFium's for a file of size bytes and its repair; nil when it
// has none.
func (e *engine) room(size int64) (at uint32, view []byte) {
	if size <= 0 || size > math.MaxInt32-repairBytes {
		return 0, nil
	}
	at = uint32(e.call("malloc", uint64(size+repairBytes)))
	if at == 0 {
		return 0, nil
	}
	view, _ = e.mem.Read(at, uint32(size+repairBytes))
	return at, view
}

// mended opens the file at at with a trailer in the place of one that it lost.
func (e *engine) mended(at uint32, size int64) (doc uint64, fault string) {
	// PDFium may have grown its memory, and with it moved what was seen of it.
	view, ok := e.mem.Read(at, uint32(size+repairBytes))
	if !ok {
		return 0, faultDamaged
	}
	end := trailer(view[:size])
	if len(end) == 0 || len(end) > repairBytes {
		return 0, faultDamaged
	}
	copy(view[size:], end)
	return e.load(at, size+int64(len(end)))
}

// load opens the file in PDFium's memory.
func (e *engine) load(at uint32, size int64) (doc uint64, fault string) {
	doc = uint64(uint32(e.call("FPDF_LoadMemDocument", uint64(at), uint64(size), 0)))
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
