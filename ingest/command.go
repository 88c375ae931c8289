package main

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"vigueur/internal/kit/commandline"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
)

// run executes the command line and returns the exit code.
func (a *app) run(ctx context.Context, args []string) int {
	a.out, a.err = a.speaking(a.out), a.speaking(a.err)
	root := a.root()
	a.always = a.err
	root.SetArgs(args)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	err := root.ExecuteContext(ctx)
	if !a.json { // an invalid option before --json keeps pflag from parsing --json
		a.json = slices.Contains(args, "--json")
	}
	if errors.Is(err, commandline.ErrHelpShown) {
		err = quiet{exitUsage}
	}
	if said := (quiet{}); err != nil && !errors.As(err, &said) {
		a.sayError(err, exitCode(ctx, err))
	}
	return exitCode(ctx, err)
}

// sayError prints the error that ended the command on the standard error, so that readers
// of the standard output get only data.
func (a *app) sayError(err error, code int) {
	f := faultOf(err)
	if code == exitInterrupted {
		f = fault{errs.Cancelled.String(), "Interrompu."}
	}
	if a.json {
		_ = writeFault(a.always, f) // an error cannot be printed anywhere else
		return
	}
	fmt.Fprintln(a.always, f.Detail)
}

// root builds the command tree.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   cmp.Or(a.name, programName),
		Short: "Vigueur : la commande de l’opérateur",
		Long:  cmp.Or(a.name, programName) + " est la commande de l’opérateur de Vigueur : elle ajoute des gazettes, pose des questions,\ngère les comptes et la base.\n\n" + exitHelp,
	}
	commandline.SetUp(root)
	root.PersistentFlags().BoolVar(&a.json, "json", false, "écrit du JSON au lieu d’un tableau")
	root.PersistentFlags().BoolVarP(&a.silent, "quiet", "q", false, "ne dit rien si tout va bien")
	root.PersistentFlags().StringVar(&a.profileName, "profile", "", "`PROFIL` de ingest login : le serveur où la commande travaille")
	root.PersistentPreRun = func(*cobra.Command, []string) {
		if a.silent {
			a.err, a.terminal = io.Discard, false
		}
	}
	for _, name := range slices.Sorted(maps.Keys(declarations())) {
		root.AddCommand(a.command(name, declarations()[name]))
	}
	return root
}

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
	Least, Most int
	What        string
	Of          string // the kind of object whose id the argument is, where no Call names it (see things)
}

// option is an option of a command.
type option struct {
	Is, Preset, Letter, Help string
	Hidden                   bool
	Field                    string         // of the request; empty: the name of the option; "-": none
	Sets                     map[string]any // fields of the request that an option without a value sets
	As                       string         // the kind of object whose id the value is (see things)
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
			d.Flags[f.short] = &option{Field: f.name, Help: f.help}
		}
	}
	return all
})

func (a *app) command(name string, d *declaration) *cobra.Command {
	long := d.Long
	if d.Local {
		long = cmp.Or(d.Long, d.Short) + "\n\nTravaille sur la machine du service, avec ses réglages."
	}
	c := &cobra.Command{Use: strings.TrimSpace(name + " " + d.Use), Short: written(d.Short), Long: written(long), Example: indented(d.Example),
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
	}
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
			return usage("Il manque --%s.", name)
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

// severalHelp is what commands on several objects say about them.
const severalHelp = "Plusieurs à la fois : chacun pour soi,\n" +
	"un refus n’arrête pas les autres et le code de sortie est alors 1."

// severalFailure is the printed form of an object that a command did not change.
type severalFailure struct {
	Given string `json:"given"`
	Error string `json:"error"`
}

// several calls f for each word, once for each. f reports an object that it changed with say
// and returns its printed form. With a single word, the output and the error are those of f
// alone. Otherwise the refusal of one word does not stop the others; a store that is down, a cancelled command
// and what is wrong with the change itself do.
func (a *app) several(ctx context.Context, words []string, f func(ctx context.Context, word string) (any, error)) error {
	if len(words) == 1 {
		now, err := f(ctx, words[0])
		if err != nil || !a.json {
			return err
		}
		return writeJSON(a.out, now)
	}
	done, failed := []any{}, []severalFailure{}
	var stopped error
	for i, word := range words {
		if slices.Contains(words[:i], word) {
			continue
		}
		now, err := f(ctx, word)
		if err == nil {
			done = append(done, now)
			continue
		}
		if ctx.Err() != nil || errs.Is(err, errs.Cancelled) || errs.Is(err, errs.Unavailable) || errs.Is(err, errs.Unauthorized) || errs.Is(err, errs.Invalid) {
			stopped = err
			break
		}
		failed = append(failed, severalFailure{terminal.Line(word), sentence(err)})
		if !a.json {
			fmt.Fprintf(a.err, "%s : %s\n", terminal.Line(word), sentence(err))
		}
	}
	if a.json {
		if err := writeJSON(a.out, map[string]any{"items": done, "failed": failed}); err != nil {
			return err
		}
	}
	switch {
	case stopped != nil:
		return stopped
	case len(failed) > 0:
		return quiet{exitFailed}
	}
	return nil
}

// say prints a message about an object that was changed, unless the output is JSON.
func (a *app) say(format string, args ...any) error {
	if a.json {
		return nil
	}
	for i, arg := range args {
		if words, ok := arg.(string); ok {
			args[i] = terminal.Line(words)
		}
	}
	_, err := fmt.Fprintf(a.outcome(), format+"\n", args...)
	return err
}

// The exit codes, which --help documents.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitStore       = 3
	exitInterrupted = 130
)

const exitHelp = `Codes de sortie :
  0    tout va bien
  1    un fichier ou une réponse a échoué, ou ce qui est demandé n’existe pas ou n’est pas permis
  2    commande ou configuration incorrecte
  3    un service (PostgreSQL, Redis, dossier des fichiers) est arrêté ou refuse, ou la base n’est pas à jour
  130  interrompu (Ctrl-C)`

// quiet is the error of a command that has already reported its failure.
type quiet struct{ code int }

func (q quiet) Error() string { return fmt.Sprintf("exit %d", q.code) }

// usage returns an error in the command line.
func usage(format string, args ...any) error { return errs.Newf(errs.Invalid, format, args...) }

func exitCode(ctx context.Context, err error) int {
	var q quiet
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &q):
		return q.code
	case ctx.Err() != nil, errs.Is(err, errs.Cancelled):
		return exitInterrupted
	case errs.Is(err, errs.Invalid):
		return exitUsage
	case errs.Is(err, errs.Unavailable):
		return exitStore
	}
	return exitFailed
}

// sentence returns the message of err for the operator. A defect is reported with its
// cause, because no log contains it.
func sentence(err error) string {
	if errs.Is(err, errs.Internal) {
		return "Erreur interne : " + err.Error()
	}
	return errs.Public(err)
}
