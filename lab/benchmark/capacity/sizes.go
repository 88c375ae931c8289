package main

import (
	"cmp"
	"flag"
	"math"
)

// habits are what the tables assume and nothing measures: what people do, how full machines may be, what they cost. Each
// is a flag, and is printed with the tables.
type habits struct {
	Every      float64 // seconds between two questions of a person at work
	Loads      float64 // page loads for each question
	Answer     float64 // seconds that a model writes for; an answer takes a place of a worker so long
	TokensIn   float64 // that a model reads for an answer, and writes
	TokensOut  float64
	Full       float64 // share of a processor that is planned to be busy
	Places     float64 // answers that a worker's machine writes at once (VIGUEUR_WORKER_ANSWERS)
	Cores      float64 // of an API's or a worker's machine
	Memory     float64 // GiB of such a machine
	MostCores  float64 // of the largest machine for PostgreSQL
	Stream     float64 // KiB that an API holds for an open stream
	Cached     float64 // share of the database that is to be in PostgreSQL's memory
	PagesBytes float64 // bytes of a gazette's page as a PDF
	CorePrice  float64 // a month, in euros: of a core
	GiBPrice   float64 // of a GiB of memory
	DiskPrice  float64 // of a GiB on disk
	TokenIn    float64 // of a million tokens read, and written
	TokenOut   float64
	Dimensions float64 // of a vector
	Links      float64 // of the graph in Milvus, at each passage
	Node       float64 // GiB of memory of a node of Milvus
}

// usual are the habits that the tables of docs/capacity.md have.
func usual() habits {
	return habits{Every: 120, Loads: 10, Answer: 10, TokensIn: 3000, TokensOut: 300, Full: 0.6, Places: 256, Cores: 8, Memory: 32, MostCores: 64, Stream: 64,
		Cached: 0.25, PagesBytes: 100_000, CorePrice: 20, GiBPrice: 3, DiskPrice: 0.1, TokenIn: 0.2, TokenOut: 0.6, Dimensions: 192, Links: 32, Node: 64}
}

func (h *habits) flags(to *flag.FlagSet) {
	for _, f := range []struct {
		name, help string
		into       *float64
	}{
		{"every", "seconds between two questions of a person at work", &h.Every}, {"loads-each", "page loads for each question", &h.Loads},
		{"answer", "seconds that a model writes for", &h.Answer}, {"tokens-in", "tokens that a model reads for an answer", &h.TokensIn},
		{"tokens-out", "tokens that it writes", &h.TokensOut}, {"full", "share of a processor that is planned to be busy", &h.Full},
		{"places", "answers that a worker's machine writes at once", &h.Places}, {"cores", "of a machine for an API or a worker", &h.Cores}, {"memory", "GiB of such a machine", &h.Memory},
		{"most-cores", "of the largest machine for PostgreSQL", &h.MostCores}, {"stream", "KiB that an API holds for an open stream", &h.Stream},
		{"cached", "share of the database in PostgreSQL's memory", &h.Cached}, {"page-bytes", "bytes of a gazette's page as a PDF", &h.PagesBytes},
		{"core-price", "euros a month for a core", &h.CorePrice}, {"gib-price", "euros a month for a GiB of memory", &h.GiBPrice},
		{"disk-price", "euros a month for a GiB on disk", &h.DiskPrice}, {"token-in", "euros for a million tokens read", &h.TokenIn},
		{"token-out", "euros for a million tokens written", &h.TokenOut}, {"dimensions", "of a vector", &h.Dimensions},
		{"links", "of the graph in Milvus at each passage", &h.Links}, {"node", "GiB of memory of a node of Milvus", &h.Node},
	} {
		to.Float64Var(f.into, "plan-"+f.name, *f.into, "for the tables: "+f.help)
	}
}

const (
	gib   = 1 << 30
	month = 30 * 24 * 3600.0 // seconds
	// working is for how many hours of a month people work: eight of each of 21 days.
	working = 8 * 21 * 3600.0
)

// plan is what a number of passages and of people at once need.
type plan struct {
	Passages, People       float64
	Questions              float64 // a second
	APIs, Workers          float64 // machines of habits.Cores
	Milvus                 bool
	WorkerGiB              float64 // that the index takes in each worker
	PostgresCores          float64
	PostgresGiB            float64 // of memory
	Disk                   float64 // GiB, database and files
	Redis                  float64 // servers, the first of which has the tasks
	RedisBusy              float64 // of one core, all of them together
	MilvusGiB, MilvusCores float64
	MemoryGiB              float64 // of all machines
	Euros, Model           float64 // a month: machines, and the model's tokens
	First                  string  // which part gives first
	FirstAt                float64 // people at once at whom it does, with these machines
	LastAt                 float64 // people at once at whom PostgreSQL does, beside which none can be started, on the largest machine
	FillDays               float64 // of all workers, to take the catalogue in, of gazettes with a text layer
	ScanDays               float64 // the same of scans alone
	RefinedDays            float64 // of all workers, for the vectors of sentences of all passages, beside nothing else
}

// size reckons a plan. What each line says is what docs/capacity.md says.
func (m measured) size(h habits, passages, people float64) plan {
	p := plan{Passages: passages, People: people, Questions: people / h.Every}
	loads := p.Questions * h.Loads
	// Workers: processor time of an answer, with the search at this size, and of places; the index in memory, or the register.
	search := m.grows("hybrid_processor_p50_ms", passages)
	index := passages * (m.largest("hybrid_bytes_per_passage") + m.largest("kept_bytes_per_passage"))
	p.Milvus = index > h.Memory*gib/2 // half is the program's, PDFs' and the system's
	p.WorkerGiB = (index + m.of("worker_mib")*(1<<20)) / gib
	if p.Milvus {
		p.WorkerGiB = (m.register(passages) + m.of("worker_mib")*(1<<20)) / gib
		search = m.search[0].Figures["processor_p50_ms"] // ranks 320 passages, whatever the size
	}
	busy := p.Questions * (m.of("answer_worker_ms") + search) / 1000
	p.Workers = max(1, math.Ceil(busy/(h.Cores*h.Full)), math.Ceil(p.Questions*h.Answer/h.Places))
	if people > 100 { // one may be replaced, or lost
		p.Workers = max(2, p.Workers)
	}
	// APIs: processor time, and memory of the streams that are open.
	p.APIs = max(1, math.Ceil((p.Questions*m.of("answer_api_ms")+loads*m.of("load_api_ms"))/1000/(h.Cores*h.Full)),
		math.Ceil(p.Questions*h.Answer*h.Stream/(1<<20)/(h.Memory/2)))
	if people > 100 {
		p.APIs = max(2, p.APIs)
	}
	// PostgreSQL: one server writes.
	used := (p.Questions*m.of("answer_postgres_ms") + loads*m.of("load_postgres_ms")) / 1000
	p.PostgresCores = max(2, math.Ceil(used/h.Full))
	database := passages * m.of("pg_bytes_per_passage")
	p.PostgresGiB = max(4, math.Ceil(h.Cached*database/gib))
	p.Disk = math.Ceil((2*database + passages/m.of("passages_per_page")*h.PagesBytes) / gib) // twice: room for a dump, or for indexes made anew
	// Redis: one core each.
	p.RedisBusy = (p.Questions*m.of("answer_redis_ms") + loads*m.of("load_redis_ms") + p.Workers*m.of("idle_worker_redis_ms_per_s")) / 1000
	p.Redis = max(1, math.Ceil(p.RedisBusy/h.Full))
	if p.Redis > 1 {
		p.Redis++ // one keeps the tasks
	}
	if p.Milvus {
		p.MilvusGiB = m.milvus(h, passages).memory()
		p.MilvusCores = math.Ceil(p.MilvusGiB / 4) // a core for each 4 GiB, as its makers pair them
	}
	days := passages / m.of("passages_per_page") / 1000 / (p.Workers * h.Cores * h.Full) / (24 * 3600) // for a millisecond a page
	p.FillDays = days * m.of("gazette_page_worker_ms")
	p.ScanDays = days * (m.of("gazette_page_worker_ms") + m.ocr.Figures["page_processor_ms"])
	p.RefinedDays = passages * m.of("refining_worker_ms") / 1000 / (p.Workers * h.Cores * h.Full) / (24 * 3600)
	p.price(h)
	p.gives(h, used, busy, p.Workers*m.of("idle_worker_redis_ms_per_s")/1000)
	return p
}

// register is what a worker beside a Milvus holds, in bytes, as « scripts/bench search » measures it. What texts are called
// is in PostgreSQL.
func (m measured) register(passages float64) float64 {
	return passages * m.largest("register_bytes_per_passage")
}

func (p *plan) price(h habits) {
	rows := []struct{ machines, cores, memory float64 }{{p.APIs, h.Cores, h.Memory}, {p.Workers, h.Cores, max(h.Memory, math.Ceil(2*p.WorkerGiB))},
		{1, p.PostgresCores, p.PostgresGiB}, {p.Redis, 1, 2}, {1, p.MilvusCores, p.MilvusGiB}}
	if p.People <= 100 && !p.Milvus { // all on one machine
		rows = []struct{ machines, cores, memory float64 }{{1, h.Cores, max(h.Memory, math.Ceil(2*p.WorkerGiB)+p.PostgresGiB)}}
	}
	cores := 0.0
	for _, r := range rows {
		cores, p.MemoryGiB = cores+r.machines*r.cores, p.MemoryGiB+r.machines*r.memory
	}
	p.Euros = cores*h.CorePrice + p.MemoryGiB*h.GiBPrice + p.Disk*h.DiskPrice
	p.Model = p.Questions * working * (h.TokensIn*h.TokenIn + h.TokensOut*h.TokenOut) / 1e6
}

// gives tells which part is nearest to what one of it bears, with the others as they are: at how many people at once.
// Workers and APIs are not among these, for another may be started beside them; but they are where nothing else is near.
func (p *plan) gives(h habits, postgres, worker, looks float64) {
	type part struct {
		name string
		at   float64 // people
	}
	scale := func(used, bears float64) float64 { return p.People * bears / max(used, 1e-9) }
	first := part{"the workers’ processors", scale(worker, p.Workers*h.Cores)}
	for _, other := range []part{{"PostgreSQL", scale(postgres, h.MostCores)}, {"Redis", scale(p.RedisBusy-looks, p.Redis-looks)},
		{"the workers’ places", scale(p.Questions*h.Answer, p.Workers*h.Places)}} {
		if cmp.Compare(other.at, first.at) < 0 {
			first = other
		}
	}
	p.First, p.FirstAt, p.LastAt = first.name, first.at, scale(postgres, h.MostCores)
	if p.WorkerGiB > h.Memory/2 {
		p.First, p.FirstAt = "the memory of a worker", p.People
	}
}
