// Package confine lets a child process give up what it does not need before it looks at a foreign
// byte: files, sockets, other programs and processes, memory, processor time.
//
// A child describes what it needs in a Policy and applies it to itself; nothing can take it back,
// and programs that the child starts in its own place inherit it. Files are limited by Landlock
// (Linux 5.13 or later, in the version that the kernel offers), calls by a list of allowed ones
// (seccomp, Linux on amd64 and arm64), the rest by resource limits. What the kernel lacks is left out: Landlock tells
// whether files are limited. On other systems than Linux a Policy has no effect.
//
// Self and Attributes help to start a child that is this program again.
package confine

// Policy says what a confined process may still do. The zero value allows no file, no network, and no other program or
// process. It sets no resource limit except that of core dumps.
type Policy struct {
	Read    []string // files, and folders with all that is in them, that it may read; missing ones are passed over
	Write   []string // folders in which it may read, write, create and remove files
	Program string   // an ELF program that Start may run in place of this one; "": none

	MoreAddressSpace uint64 // bytes of address space beyond those mapped now; 0: no limit
	AddressSpace     uint64 // bytes of address space of Program; 0: no limit
	CPUSeconds       uint64 // seconds of processor time; 0: no limit
	FileBytes        uint64 // size of a file that it writes, in bytes; limits writes even where Write does not
	OpenFiles        uint64 // open files; 0: no limit
}
