"""The student's command line: a REST client of an Assay server. Knows the report and nothing else of ours.

In a notebook `%load_ext engine` gives `%%submit` and `%submit`.
"""

from typing import Any


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext engine` calls."""
    from engine.magics import register  # noqa: PLC0415  for notebooks alone

    register(shell)
