"""Your RMSNorm.

Read rmsnorm.md, fill in the function, then run `engine submit-build`.
"""

from torch import Tensor


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    """Divide every vector along the last axis by its root mean square, then multiply the features by the weight.

    (..., d_model), (d_model,) -> (..., d_model), in the dtype of x.
    """
    raise NotImplementedError
