"""All that a challenge may import of the grader: stable names, wherever they are defined. Everything else may move.

For `cases.py`, `space.py` and `gpu/stage.py`. What a challenge lays into the sandbox imports nothing of the grader.
"""

from grader.guest.execution import Call, Drawn, Gives, GradMode
from grader.paper.case import Aspect, Case, Hint, StructureCall
from grader.paper.combinations import Space
from grader.paper.distribution import Discrete, Normal, Uniform
from grader.paper.draw import Draw
from grader.paper.mismatch import Mismatch as Flaw  # exercises have it under this name, which stays
from grader.paper.script import Script

__all__ = [
    "Aspect",
    "Call",
    "Case",
    "Discrete",
    "Draw",
    "Drawn",
    "Flaw",
    "Gives",
    "GradMode",
    "Hint",
    "Normal",
    "Script",
    "Space",
    "StructureCall",
    "Uniform",
]
