"""Write the typed gRPC stubs of every file under a proto root: ``generate_stubs.py PROTO_ROOT OUTPUT_ROOT``."""

import re
import shlex
import shutil
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

from grpc_tools import protoc

_TYPED = {"mypy": "main", "mypy_grpc": "grpc"}
"""protoc's plugins for type stubs, each with the function of `mypy_protobuf.main` that it is."""

_NEW_RUNTIMES_ONLY = (
    re.compile(r"^_runtime_version\.ValidateProtobufRuntimeVersion\(\n.*?^\)\n", re.MULTILINE | re.DOTALL),
    re.compile(r"^from google\.protobuf import runtime_version as _runtime_version\n", re.MULTILINE),
    re.compile(r",\n *_registered_method=True(?=\))"),
    re.compile(r"^GRPC_GENERATED_VERSION = .*?^if _version_not_supported:\n.*?^    \)\n", re.MULTILINE | re.DOTALL),
)
"""Stubs refuse every protobuf and grpcio older than the compiler that wrote them, and hand channels an argument that
older ones do not know and `grpc.aio` does not use. All else that they call is older; the range that the SDK declares is
tested at both of its ends."""


def main(proto_root: Path, output_root: Path) -> int:
    """Generate, and mark what was generated as typed packages, last and only when it is whole.

    Returns protoc's exit status.
    """
    sources = sorted(proto_root.rglob("*.proto"))
    packages = {source.parent.relative_to(proto_root) for source in sources}
    for package in packages:
        shutil.rmtree(output_root / package.parts[0], ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        status: int = protoc.main(
            [
                "protoc",
                f"--proto_path={proto_root}",
                f"--proto_path={files('grpc_tools') / '_proto'}",
                *(f"--plugin=protoc-gen-{name}={_plugin(Path(folder), name)}" for name in _TYPED),
                f"--python_out={output_root}",
                f"--grpc_python_out={output_root}",
                *(f"--{name}_out=quiet:{output_root}" for name in _TYPED),
                *map(str, sources),
            ]
        )
    if status:
        return status
    for package in packages:
        for stub in (output_root / package).glob("*_pb2*.py"):
            _allow_older_runtimes(stub)
        for folder_of in (package, *package.parents):
            if folder_of.parts:
                (output_root / folder_of / "__init__.py").touch()
        (output_root / package.parts[0] / "py.typed").touch()
    return 0


def _plugin(folder: Path, name: str) -> Path:
    """A program for protoc that runs the plugin in this interpreter: where its script is differs between installers."""
    program = folder / f"protoc-gen-{name}"
    call = f"import mypy_protobuf.main; mypy_protobuf.main.{_TYPED[name]}()"
    program.write_text(f"#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {shlex.quote(call)}\n")
    program.chmod(0o700)
    return program


def _allow_older_runtimes(stub: Path) -> None:
    text = stub.read_text("utf-8")
    for part in _NEW_RUNTIMES_ONLY:
        text = part.sub("", text)
    if "runtime_version" in text or "_version_not_supported" in text:
        raise SystemExit(f"{stub}: its check of the runtime's version has another form than is known here")
    stub.write_text(text, "utf-8")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
