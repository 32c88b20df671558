"""`readdo completion`: print the tab completion script of a shell."""

import click
from click.shell_completion import get_completion_class

from terminal.command import verb


@verb("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> int:
    """Set up tab completion of commands, options and ids.

    \b
    bash 4.4 or newer, in ~/.bashrc:  eval "$(readdo completion bash)"
    zsh, in ~/.zshrc after compinit:  eval "$(readdo completion zsh)"
    """
    completion_class = get_completion_class(shell)
    if completion_class is None:
        raise click.UsageError(f"Tab completion does not support {shell}.")
    script = completion_class(ctx.find_root().command, {}, "readdo", "_READDO_COMPLETE")
    click.echo(script.source_template % script.source_vars())
    return 0
