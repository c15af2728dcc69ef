"""Translate the Cython modules of a folder to C: ``transpile.py OUTPUT_FOLDER SOURCE...``, from the project's root.

One process for all of them, since starting the compiler takes longer than most of them. A module that is newer than
everything that it depends on is left as it is.
"""

import sys
from pathlib import Path

from Cython.Build.Dependencies import create_dependency_tree
from Cython.Compiler.Main import CompilationOptions, compile_multiple


def main(folder: Path, sources: list[str]) -> int:
    """Returns how many errors there are."""
    folder.mkdir(parents=True, exist_ok=True)
    tree = create_dependency_tree()

    def is_stale(source: str) -> bool:
        output = folder / f"{Path(source).stem}.c"
        newest, _ = tree.newest_dependency(source)
        return not output.exists() or output.stat().st_mtime <= newest

    options = CompilationOptions(
        output_file=str(folder), include_path=["."], language_level=3, compiler_directives={"annotation_typing": False}
    )
    errors: int = compile_multiple(list(filter(is_stale, sources)), options).num_errors
    return errors


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
