// Package work runs jobs that are rows of PostgreSQL: answers, gazette files, messages
// and the indexes that follow the catalogue. The id of a row goes in, and its outcome is
// written to the row. Each kind of job has a folder beside this package; queue carries the
// ids, lease holds rows, and upkeep and retention do what is due by the clock.
//
// A worker leases a row, which begins an attempt. Every write of the attempt names its
// number, the lease is renewed while the job runs, and the outcome is written last:
//
//	done      the job is done
//	cancelled somebody asked for it to stop
//	released  the process shuts down: another worker goes on at once
//	put back  it failed and is retried after a delay
//	failed    it failed for good
//	lost      another attempt holds the lease: nothing is written
//
// A Kind describes a kind of job. A Worker leases its rows, and the Job that it returns
// does the work and writes the end. Serve starts a queue server for each worker, and a sweep
// that looks once a second for rows that no worker holds. A hint is a queued task that
// names a row: hints may be lost or repeated, since the rows alone decide what is run.
package work
