"""Write the typed gRPC stubs of every file under a proto root: ``generate_stubs.py PROTO_ROOT OUTPUT_ROOT``."""

import shutil
import sys
import sysconfig
from importlib.resources import files
from pathlib import Path

from grpc_tools import protoc


def main(proto_root: Path, output_root: Path) -> int:
    """Generate, and mark what was generated as typed packages, last and only when it is whole.

    Returns protoc's exit status.
    """
    sources = sorted(proto_root.rglob("*.proto"))
    packages = {source.parent.relative_to(proto_root) for source in sources}
    for package in packages:
        shutil.rmtree(output_root / package.parts[0], ignore_errors=True)
    scripts = Path(sysconfig.get_path("scripts"))
    status: int = protoc.main(
        [
            "protoc",
            f"--proto_path={proto_root}",
            f"--proto_path={files('grpc_tools') / '_proto'}",
            f"--plugin=protoc-gen-mypy={scripts / 'protoc-gen-mypy'}",
            f"--plugin=protoc-gen-mypy_grpc={scripts / 'protoc-gen-mypy_grpc'}",
            f"--python_out={output_root}",
            f"--grpc_python_out={output_root}",
            f"--mypy_out=quiet:{output_root}",
            f"--mypy_grpc_out=quiet:{output_root}",
            *map(str, sources),
        ]
    )
    if status:
        return status
    for package in packages:
        for folder in (package, *package.parents):
            if folder.parts:
                (output_root / folder / "__init__.py").touch()
        (output_root / package.parts[0] / "py.typed").touch()
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
