"""New title.

Read new-slug.md, fill in the function, then run `engine submit-build`.
"""

from torch import Tensor


def new_function(x: Tensor) -> Tensor:
    """(..., n) -> (..., n)."""
    raise NotImplementedError
