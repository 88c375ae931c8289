package pdftext

import (
	"context"
	"fmt"

	"vigueur/internal/gazette/layout"
)

// readRun reads the pages from..to from one child, until the child fails. At the
// end it asks the child to read the next run of as many pages ahead, because a
// caller that reads one run usually reads the next.
func (d *Document) readRun(ctx context.Context, from, to int) ([]layout.Page, error) {
	out := d.takeKept(from, to)
	if from += len(out); from > to {
		return out, nil
	}
	if d.asked != 0 && d.next != from {
		if err := d.drain(ctx); err != nil {
			return out, err
		}
		d.kept = nil
	}
	if err := d.start(ctx); err != nil {
		return out, err
	}
	if err := d.ask(from, to); err != nil {
		return out, err
	}
	for n := from; n <= to; n++ {
		p, err := d.receive(ctx)
		if err != nil {
			return out, err
		}
		out = append(out, p)
	}
	if run := to - from; run > 0 && to < d.hello.Pages {
		if err := d.ask(to+1, min(to+1+run, d.hello.Pages)); err != nil {
			d.end() // no error for the caller, who has not asked for these pages yet
		}
	}
	return out, nil
}

// takeKept returns the kept pages from page from on, up to the first page that is
// not kept, and no page after page to.
func (d *Document) takeKept(from, to int) (out []layout.Page) {
	for len(d.kept) > 0 && d.kept[0].Number == from && from <= to {
		out = append(out, d.kept[0])
		d.kept = d.kept[1:]
		from++
	}
	return out
}

// ask asks the child for the pages from..to, except pages that were asked for
// before.
func (d *Document) ask(from, to int) error {
	if d.asked == 0 {
		d.next = from
	}
	from = max(from, d.asked+1)
	if from > to {
		return nil
	}
	d.asked = to
	return d.child.ask(request{Op: "read", From: from, To: to})
}

// receive takes the next page that the child was asked for.
func (d *Document) receive(ctx context.Context) (layout.Page, error) {
	var p *layout.Page
	d.child.pages++
	err := d.child.guard(ctx, d.reader.PageTimeout, func() (err error) {
		p, err = readPage(d.child.read)
		return err
	})
	if err == nil && (p == nil || p.Number != d.next) {
		err = fmt.Errorf("%w: not page %d", errFrame, d.next)
	}
	if err != nil {
		return layout.Page{}, err
	}
	if d.next++; d.next > d.asked {
		d.asked = 0
	}
	return *p, nil
}

// drain receives and keeps the pages that the child was asked to read ahead. If the
// child fails on a page, drain ends the child and returns no error: the failure is
// reported when that page is asked for.
func (d *Document) drain(ctx context.Context) error {
	for d.asked != 0 {
		p, err := d.receive(ctx)
		if err == nil {
			d.kept = append(d.kept, p)
			continue
		}
		d.end()
		return ctx.Err()
	}
	return nil
}

// end ends the child and forgets the pages that were asked of the child.
func (d *Document) end() {
	if d.child != nil {
		d.child.kill()
	}
	d.child, d.asked = nil, 0
}
