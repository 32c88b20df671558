"""The tab key."""

import click
from click.shell_completion import get_completion_class

from terminal.command import verb


@verb("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> int:
    """The tab key: commands, options and the ids of items.

    \b
    bash 4.4 or newer, in ~/.bashrc:  eval "$(readdo completion bash)"
    zsh, in ~/.zshrc after compinit:  eval "$(readdo completion zsh)"
    """
    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(f"There is no completion for {shell}.")
    script = found(ctx.find_root().command, {}, "readdo", "_READDO_COMPLETE")
    click.echo(script.source_template % script.source_vars())
    return 0
