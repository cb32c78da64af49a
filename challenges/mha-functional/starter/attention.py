"""Your multi-head attention.

Read mha-functional.md, fill in the function, then run `engine submit-build`.
"""

import torch
from torch import Tensor


def multi_head_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    num_heads: int,
    d_model: int,
    mask: Tensor | None = None,
    *,
    in_proj_weight: Tensor,
    out_proj_weight: Tensor,
) -> Tensor:
    """(N, L_q, d_model), (N, L_k, d_model) twice -> (N, L_q, d_model). mask is 1 or True where a query must not see a key."""
    raise NotImplementedError
