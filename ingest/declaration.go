package main

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"vigueur/internal/kit/commandline"
	"vigueur/internal/kit/terminal"
)

// The commands, by groups. A test checks them against the contract of the API.
//
//go:embed commands
var commandFiles embed.FS

// declaration is a command as the files in commands declare it. A command with neither Run nor Call only has
// subcommands.
type declaration struct {
	Use                  string // its arguments and options, behind its name
	Short, Long, Example string
	Hidden               bool
	Local                bool // whether it works only on the machine of the service
	Args                 arity
	Flags                map[string]*option
	Metadata             bool // whether it has the options for what is said of files (see fields)
	Choose               *choice
	Commands             map[string]*declaration

	// Run names the function of the command (see runs).
	Run string
	// Call is the method and the path of the request that the command makes. A name in braces is a kind of object (see
	// things), whose id is an argument.
	Call string
	// First is a path whose object is fetched before, for Ask and the sentences.
	First string
	// Body has fixed fields of the request, and Fields the names of those that arguments behind the ids give.
	Body   map[string]any
	Fields []string
	// Ask is the question that is confirmed with « oui », unless --yes is given.
	Ask string
	// Pages says how a list comes: by cursor or numbers, of which all pages are fetched, whole, or as the page that was
	// asked for. Empty: the response is no list.
	Pages string
	// Shows names the function that prints the response (see shows). Otherwise a list is printed in Columns, or None and
	// with After behind it, and anything else by Said, or as Data with Remark on the standard error.
	Shows                           string
	Columns                         yaml.Node         // heads with templates
	Omit                            []string          // columns that may be left out, in this order
	Full                            bool              // ids are not shortened
	Lines                           bool              // each item of the list is printed as JSON, on a line, and then Remark
	Skip                            map[string]string // an item whose field has the value is left out
	None, After, Said, Data, Remark string
	// Then names a function that prints what is told besides (see shows).
	Then string
	// JSON has the fields, besides the id, that stand for a response without content.
	JSON map[string]any
	// Without is the command where no argument is given. It has the options.
	Without *declaration
}

// arity is how many arguments a command takes, and what they are called in messages.
type arity struct {
	Least, Most   int
	What          string
	Propose, Rest string // completions of the first and of further arguments (see proposed); empty: those of Call
}

// option is an option of a command.
type option struct {
	Is, Preset, Letter, Help string
	Hidden                   bool
	Field                    string         // of the request; empty: the name of the option; "-": none
	Sets                     map[string]any // fields of the request that an option without a value sets
	As                       string         // the kind of object whose id the value is (see things)
	Propose                  string         // completions (see proposed); empty: those of As
	Required                 bool
	Clears                   bool     // whether an empty value is sent, as null
	From, To                 int      // the range of a number; To is 0 if there is none
	OneOf                    []string `yaml:"one_of"` // the only values
}

// choice is a set of options of which one must be given, or one at most.
type choice struct {
	Of      []string
	None    bool   // whether none may be given
	Several bool   // whether more than one may be given
	Said    string // what is wrong otherwise
}

// shownColumn is a column of a list, with the template of its values.
type shownColumn struct{ head, value string }

// shownColumns returns the columns of a list, in their order.
func (d *declaration) shownColumns() (list []shownColumn) {
	for pair := range slices.Chunk(d.Columns.Content, 2) {
		list = append(list, shownColumn{pair[0].Value, pair[1].Value})
	}
	return list
}

// declarations are all commands by name, read once.
var declarations = sync.OnceValue(func() map[string]*declaration {
	all := map[string]*declaration{}
	files, err := fs.Glob(commandFiles, "commands/*.yaml")
	if err != nil {
		panic(err) // the pattern is well formed
	}
	for _, name := range files {
		file, failed := commandFiles.Open(name)
		if failed != nil {
			panic(failed) // it is embedded
		}
		d := yaml.NewDecoder(file)
		d.KnownFields(true)
		some := map[string]*declaration{}
		if failed := d.Decode(some); failed != nil {
			panic(fmt.Sprintf("%s: %v", name, failed))
		}
		maps.Copy(all, some)
	}
	for _, d := range all {
		if !d.Metadata {
			continue
		}
		if d.Flags == nil {
			d.Flags = map[string]*option{}
		}
		for _, f := range fields {
			d.Flags[f.short] = &option{Field: f.name, Help: f.help, Propose: f.propose}
		}
	}
	return all
})

// command returns the command of a declaration.
func (a *app) command(name string, d *declaration) *cobra.Command {
	long := d.Long
	if d.Local {
		long = cmp.Or(d.Long, d.Short) + "\n\nTravaille sur la machine du service, avec ses réglages."
	}
	c := &cobra.Command{Use: strings.TrimSpace(name + " " + d.Use), Short: a.named(written(d.Short)), Long: a.named(written(long)), Example: a.named(indented(d.Example)),
		Hidden: d.Hidden, DisableFlagsInUseLine: true, Args: d.Args.check}
	for _, sub := range slices.Sorted(maps.Keys(d.Commands)) {
		c.AddCommand(a.command(sub, d.Commands[sub]))
	}
	if d.Run == "" && d.Call == "" {
		return commandline.Group(c)
	}
	options := d.Flags
	if d.Without != nil {
		options = d.Without.Flags
	}
	for option, o := range options {
		o.add(c.Flags(), option)
		if p := a.proposed(cmp.Or(o.Propose, o.As)); p != nil {
			// The call fails only if a completion was registered before.
			_ = c.RegisterFlagCompletionFunc(option, p.complete(cobra.ShellCompDirectiveNoFileComp))
		}
	}
	c.Flags().VisitAll(a.nameInHelp)
	c.ValidArgsFunction = a.argumentsOf(d)
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		defer explain(&err)
		in := &input{declaration: d, command: c, args: args, flags: c.Flags()}
		if d.Without != nil && len(args) == 0 {
			in.declaration = d.Without
		}
		if err := in.check(options, d.Choose); err != nil {
			return err
		}
		a.running = d
		if d.Local {
			if err := a.onThisMachine(); err != nil {
				return err
			}
		}
		if d.Run != "" {
			return runs[d.Run](a, c.Context(), in)
		}
		return a.perform(c.Context(), in)
	}
	return c
}

// indented returns the lines of an example as cobra expects them.
func indented(example string) string {
	if example == "" {
		return ""
	}
	return "  " + strings.ReplaceAll(example, "\n", "\n  ")
}

// check implements cobra.PositionalArgs.
func (n arity) check(c *cobra.Command, args []string) error {
	return commandline.Takes(n.Least, max(n.Least, n.Most), n.What)(c, args)
}

// add adds the option to a command.
func (o *option) add(flags *pflag.FlagSet, name string) {
	help := written(o.Help)
	switch o.Is {
	case "bool":
		flags.BoolP(name, o.Letter, false, help)
	case "int":
		flags.IntP(name, o.Letter, 0, help)
	case "duration":
		flags.DurationP(name, o.Letter, 0, help)
	case "words": // separated by commas
		flags.StringSliceP(name, o.Letter, nil, help)
	case "list": // one for each time that it is given
		flags.StringArrayP(name, o.Letter, nil, help)
	case "", "file":
		flags.StringP(name, o.Letter, "", help)
	default:
		panic("an option cannot be " + o.Is)
	}
	f := flags.Lookup(name)
	f.Hidden = o.Hidden
	if o.Preset != "" {
		if err := f.Value.Set(o.Preset); err != nil {
			panic(err) // it is embedded
		}
	}
}

// input is what a command was given.
type input struct {
	*declaration
	command *cobra.Command
	args    []string
	flags   *pflag.FlagSet
}

// text returns the value of an option. An option that is not declared panics, here and below.
func (i *input) text(name string) string { return sure(i.flags.GetString(name)) }

// has reports whether an option without a value was given.
func (i *input) has(name string) bool { return sure(i.flags.GetBool(name)) }

// number returns the value of an option that is a number.
func (i *input) number(name string) int { return sure(i.flags.GetInt(name)) }

// list returns the values of an option that may be given more than once.
func (i *input) list(name string) []string { return sure(i.flags.GetStringArray(name)) }

func sure[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// check returns what is wrong with the options.
func (i *input) check(options map[string]*option, choose *choice) error {
	for _, name := range slices.Sorted(maps.Keys(options)) {
		o := options[name]
		if f := i.flags.Lookup(name); o.Required && strings.TrimSpace(f.Value.String()) == "" || o.Required && o.Is == "words" && !f.Changed {
			values := ""
			if _, words, listed := strings.Cut(o.Propose, "words:"); listed {
				values = " : " + strings.ReplaceAll(words, ",", ", ")
			}
			return usage("Il manque --%s%s.", name, values)
		} else if o.OneOf != nil && f.Value.String() != "" && !slices.Contains(o.OneOf, f.Value.String()) {
			return usage("--%s ne peut pas valoir « %s » : %s.", name, terminal.Line(f.Value.String()), strings.Join(o.OneOf, ", "))
		}
		if n := 0; o.To > 0 {
			if n = i.number(name); n < o.From || n > o.To {
				return usage("--%s va de %d à %d.", name, o.From, o.To)
			}
		}
	}
	if choose == nil {
		return nil
	}
	given := 0
	for _, name := range choose.Of {
		if value := i.flags.Lookup(name).Value.String(); value != "" && value != "false" {
			given++
		}
	}
	if given > 1 && !choose.Several || given == 0 && !choose.None {
		return usage("%s", choose.Said)
	}
	return nil
}

// optionOf returns the option that gives a field of the request, the field's name if none does.
func (d *declaration) optionOf(field string) string {
	if d == nil {
		return field
	}
	for name, o := range d.Flags {
		if o.Field == field || (o.Field == "" || o.Field == "-") && name == field {
			return "--" + name
		}
	}
	return field
}
