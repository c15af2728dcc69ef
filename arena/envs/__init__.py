"""Environments for learning: every variant for PettingZoo, Gymnasium and OpenSpiel, and many games at once in C.

``pip install 'hanafuda-arena[envs]'`` brings Gymnasium and PettingZoo, ``'hanafuda-arena[openspiel]'`` OpenSpiel.
Without them this package cannot be imported, and nothing else of the arena imports it.
"""

try:
    from arena.envs.aec import HanafudaAEC, aec_env
    from arena.envs.arrays import Arrays
    from arena.envs.encoding import Encoding, encoding
    from arena.envs.single import HanafudaEnv, register_envs
    from arena.envs.vector import VectorEnv
except ModuleNotFoundError as error:
    if error.name not in ("gymnasium", "pettingzoo"):
        raise
    text = f"arena.envs needs {error.name}: pip install 'hanafuda-arena[envs]'"
    raise ModuleNotFoundError(text, name=error.name) from error

register_envs()

__all__ = ["Arrays", "Encoding", "HanafudaAEC", "HanafudaEnv", "VectorEnv", "aec_env", "encoding"]
