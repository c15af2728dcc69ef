"""`arena bench` where something that it measures with is not installed."""

import subprocess
import sys

import pytest

WITHOUT = "import sys; sys.modules[{package!r}] = None; from arena.cli import main; sys.argv = {argv!r}; main()"
EXIT_USAGE = 2


@pytest.mark.parametrize(("part", "package"), [("web", "playwright"), ("league", "psutil"), ("cage", "psutil")])
def test_a_package_that_a_measurement_lacks_is_named_in_one_line(part: str, package: str) -> None:
    program = WITHOUT.format(package=package, argv=["arena", "bench", part])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == EXIT_USAGE
    [line] = done.stderr.splitlines()
    assert line.endswith(f"arena bench {part} needs {package}, which is not installed: pip install {package}")


def test_a_browser_that_is_not_installed_is_named_in_one_line() -> None:
    program = "from arena.cli import main; import sys; sys.argv = ['arena', 'bench', 'web']; main()"
    done = subprocess.run(
        [sys.executable, "-c", program], env={"PATH": "/nowhere"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == EXIT_USAGE
    assert done.stderr.splitlines()[-1].endswith("apt-get install chromium-headless-shell fonts-noto-cjk")
    assert "Traceback" not in done.stderr
