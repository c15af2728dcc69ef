"""Pictures that stand beside a link to a page where somebody shares it: 1,200 by 630, as PNG."""

from importlib.util import find_spec

HAS_PREVIEWS = find_spec("resvg_py") is not None
"""Whether what draws them is installed: `hanafuda-arena[gif]`."""
