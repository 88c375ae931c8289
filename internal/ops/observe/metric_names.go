package observe

import (
	"regexp"
	"slices"
	"vigueur/internal/work/queue"

	"github.com/prometheus/client_golang/prometheus"
)

// Names returns the names of all metrics of the service, in the form in which dashboards
// and alerts use them: for a histogram, the names of its series.
func Names() []string {
	var r recorder
	newMeters(&r, API, nil)
	newMeters(&r, Worker, queue.Kinds())
	names := r.names
	for _, f := range families {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// recorder is a Registerer that only records the names of collectors.
type recorder struct{ names []string }

var described = regexp.MustCompile(`fqName: "([^"]+)"`)

// Register records the names of a collector's metrics.
func (r *recorder) Register(c prometheus.Collector) error {
	descs := make(chan *prometheus.Desc, 16)
	c.Describe(descs)
	close(descs)
	_, vector := c.(*prometheus.HistogramVec)
	_, histogram := c.(prometheus.Histogram)
	for d := range descs {
		name := described.FindStringSubmatch(d.String())[1]
		if !vector && !histogram {
			r.names = append(r.names, name)
			continue
		}
		r.names = append(r.names, name+"_bucket", name+"_sum", name+"_count")
	}
	return nil
}

// MustRegister implements prometheus.Registerer.
func (r *recorder) MustRegister(all ...prometheus.Collector) {
	for _, c := range all {
		_ = r.Register(c) // Register never fails
	}
}

// Unregister implements prometheus.Registerer.
func (*recorder) Unregister(prometheus.Collector) bool { return false }
