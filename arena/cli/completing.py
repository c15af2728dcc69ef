"""Completes what stands on a command line. Imported only where a shell asks for that."""

import os

from typer._click.shell_completion import CompletionItem, add_completion_class, split_arg_string
from typer._completion_classes import BashComplete, ZshComplete, completion_init


class _Bash(BashComplete):
    """Reads the line itself: bash cuts its words at colons too, and replaces what stands behind the last cut."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one that is completed, and that one."""
        line = os.environ["COMP_WORDS"]
        words = split_arg_string(line)[1:]
        incomplete = words.pop() if words and not line[-1:].isspace() else ""
        breaks = os.environ.get("COMP_BREAKS", "")
        self._prefix_length = max((place + 1 for place, char in enumerate(incomplete) if char in breaks), default=0)
        self._incomplete = incomplete
        return words, incomplete

    def format_completion(self, item: CompletionItem) -> str:
        """Return what bash is to put behind its last cut."""
        value = str(item.value)
        return value[self._prefix_length :] if value.startswith(self._incomplete[: self._prefix_length]) else value


class _Zsh(ZshComplete):
    """Writes lines for `_describe`: a value and what it means, with a colon between them."""

    def format_completion(self, item: CompletionItem) -> str:
        """Return a line."""
        value = str(item.value).replace(":", "\\:")
        return f"{value}:{item.help}" if item.help else value

    def complete(self) -> str:
        """Return all lines. Unlike bash, zsh takes `--variant=` for a part of the word."""
        args, incomplete = self.get_completion_args()
        option, equals, _ = incomplete.rpartition("=") if incomplete.startswith("--") else ("", "", "")
        items = self.get_completions(args, incomplete)
        return "\n".join(f"{option}{equals}{self.format_completion(item)}" for item in items)


def install() -> None:
    """Have the program complete a command line in place of running it."""
    completion_init()
    add_completion_class(_Bash, "bash")
    add_completion_class(_Zsh, "zsh")
