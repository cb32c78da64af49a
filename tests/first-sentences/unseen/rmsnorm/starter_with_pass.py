# Says: The body of `rmsnorm` is only `pass`, so it returns None: the formula has yet to be written.
# Line: 10
# Names: pass, rmsnorm
# Kind: missing return
from torch import Tensor


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    """Divide every vector of the last axis by its root mean square, then weigh the features."""
    pass
