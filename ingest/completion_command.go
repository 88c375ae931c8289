package main

import "github.com/spf13/cobra"

func (a *app) completionCommand() *cobra.Command {
	var name string
	c := &cobra.Command{
		Use: "completion bash|zsh|fish|powershell", Short: "Écrit le script de complétion d’un shell",
		Long:      "Écrit sur la sortie standard le script qui complète les commandes et options d’ingest dans un shell.",
		Example:   "  source <(ingest completion bash)\n  ingest completion fish > ~/.config/fish/completions/ingest.fish",
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"}, Args: takes(1, 1, "le nom du shell"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := rename(c.Root(), name); err != nil {
				return err
			}
			switch args[0] {
			case "bash":
				return c.Root().GenBashCompletionV2(a.out, true)
			case "zsh":
				return c.Root().GenZshCompletion(a.out)
			case "fish":
				return c.Root().GenFishCompletion(a.out, true)
			case "powershell":
				return c.Root().GenPowerShellCompletionWithDesc(a.out)
			}
			return usage("« %s » n’est pas un shell pris en charge : bash, zsh, fish ou powershell.", args[0])
		},
	}
	nameFlag(c, &name)
	return c
}
