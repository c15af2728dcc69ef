"""Tests here hold transcripts against the reference rules."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "core"))
