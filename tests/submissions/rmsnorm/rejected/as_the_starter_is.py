"""The starter, sent as it is.
Rejected: is the unchanged starter: nothing is filled in yet
"""

from torch import Tensor


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    """Divide every vector of the last axis by its root mean square, then weigh the features."""
    raise NotImplementedError
