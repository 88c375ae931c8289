package main

import "testing"

func TestRoomFollowsTheMemory(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ memory, bodies, connections int }{
		"nothing":         {0, leastBodies, fewest},
		"a container":     {512 << 20, 32 << 20, (256 - 64) << 20 / perConnection},
		"a small machine": {64 << 20, leastBodies, fewest},
		"a machine":       {8 << 30, mostBodies, (4096 - 512) << 20 / perConnection},
		"a large machine": {1 << 40, mostBodies, (512<<30 - 2*mostBodies) / perConnection},
	} {
		bodies := roomForBodies(c.memory)
		if bodies.All != c.bodies || bodies.Each > bodies.All || bodies.Each < 2<<20 {
			t.Errorf("%s: %+v for bodies, want %d", name, bodies, c.bodies)
		}
		// The limit of open files may allow fewer.
		if got := roomForConnections(c.memory); got < fewest || got > c.connections {
			t.Errorf("%s: room for %d connections, want %d at most", name, got, c.connections)
		}
	}
	if got := memory(); got < 64<<20 {
		t.Errorf("this machine has %d bytes of memory", got)
	}
}
