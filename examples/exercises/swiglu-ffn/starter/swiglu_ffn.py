"""The SwiGLU feed-forward layer.

Read swiglu-ffn.md, fill in the function, then run `engine submit-build`.
"""

from torch import Tensor


def swiglu_ffn(x: Tensor, w1: Tensor, w2: Tensor, w3: Tensor) -> Tensor:
    """Gate, scale up, and project back down.

    x: (..., d_model); w1 and w3: (d_ff, d_model); w2: (d_model, d_ff). Returns (..., d_model).
    """
    raise NotImplementedError
