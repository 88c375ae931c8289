package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"vigueur/internal/kit/commandline"
	"vigueur/internal/kit/terminal"
)

// man runs « man », with which packages make the manual page.
func (a *app) man(_ context.Context, in *input) error {
	root := in.command.Root()
	if err := rename(root, in.text("name")); err != nil {
		return err
	}
	_, err := fmt.Fprint(a.out, commandline.Manual(root, `Vigueur "Commande de l’opérateur"`, func(text string) string { return renamedIn(text, root.Name()) }))
	return err
}

// completion runs « completion ».
func (a *app) completion(_ context.Context, in *input) error {
	root := in.command.Root()
	if err := rename(root, in.text("name")); err != nil {
		return err
	}
	switch in.args[0] {
	case "bash":
		return root.GenBashCompletionV2(a.out, true)
	case "zsh":
		return root.GenZshCompletion(a.out)
	case "fish":
		return root.GenFishCompletion(a.out, true)
	case "powershell":
		return root.GenPowerShellCompletionWithDesc(a.out)
	}
	return usage("« %s » n’est pas un shell pris en charge : bash, zsh, fish ou powershell.", in.args[0])
}

// rename gives the program another name.
func rename(root *cobra.Command, name string) error {
	if name == "" {
		return nil
	}
	if !nameForm.MatchString(name) {
		return usage("--name attend un nom de commande, pas « %s ».", terminal.Line(name))
	}
	root.Use = name
	return nil
}
