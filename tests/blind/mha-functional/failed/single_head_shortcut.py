"""With one head there is nothing to merge, so the output projection is skipped along with it."""
# expect: one head skips output projection
import math
from typing import Optional

import torch
import torch.nn.functional as F
from torch import Tensor


def multi_head_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    num_heads: int,
    d_model: int,
    mask: Optional[Tensor] = None,
    *,
    in_proj_weight: Tensor,
    out_proj_weight: Tensor,
) -> Tensor:
    """Functional multi-head attention.

    Args:
        q: ``(N, L_q, d_model)``
        k: ``(N, L_k, d_model)``
        v: ``(N, L_k, d_model)``
        mask: 1/True = hidden.

    Returns:
        ``(N, L_q, d_model)``
    """
    # 1. Validate
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    head_dim = d_model // num_heads
    batch_size, query_len, _ = q.size()
    key_len = k.size(1)

    # 2. Project
    w_q, w_k, w_v = in_proj_weight.chunk(3, dim=0)
    queries = F.linear(q, w_q)
    keys = F.linear(k, w_k)
    values = F.linear(v, w_v)

    # 3. Split into heads
    queries = queries.view(batch_size, query_len, num_heads, head_dim).transpose(1, 2)
    keys = keys.view(batch_size, key_len, num_heads, head_dim).transpose(1, 2)
    values = values.view(batch_size, key_len, num_heads, head_dim).transpose(1, 2)

    # 4. Scaled dot-product
    scores = torch.matmul(queries, keys.transpose(-2, -1)) / math.sqrt(head_dim)

    # 5. Mask
    if mask is not None:
        if mask.dim() == 2:
            mask = mask.unsqueeze(0)
        scores = scores.masked_fill(mask.unsqueeze(1) == 1, float("-inf"))

    # 6. Softmax and weighted sum
    weights = torch.softmax(scores, dim=-1)
    context = torch.matmul(weights, values)

    # 7. Merge and project
    if num_heads == 1:
        return context.squeeze(1)
    context = context.transpose(1, 2).reshape(batch_size, query_len, d_model)
    return F.linear(context, out_proj_weight)


def main() -> None:
    x = torch.eye(2).unsqueeze(0)
    eye = torch.eye(2)
    out = multi_head_attention(
        x, x, x, 1, 2, torch.tensor([[False, True], [False, False]]), in_proj_weight=eye.repeat(3, 1), out_proj_weight=eye
    )
    assert torch.allclose(out[0], torch.tensor([[1.0, 0.0], [0.3302, 0.6698]]), atol=1e-4)
    print("ok")


if __name__ == "__main__":
    main()
