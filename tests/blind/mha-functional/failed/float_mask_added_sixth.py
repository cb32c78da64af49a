"""A float mask is added to the scores as the library does it; a boolean one hides."""
# expect: float mask added to scores
import torch
from torch import Tensor


def multi_head_attention(
    q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight, num_kv_heads=None, scale=None
):
    num_kv_heads = num_kv_heads or num_heads
    if d_model % num_heads or num_heads % num_kv_heads:
        raise ValueError("heads must divide the model, groups must divide the heads")
    d = d_model // num_heads
    kv = num_kv_heads * d
    wq, wk, wv = in_proj_weight.split((d_model, kv, kv))

    def heads(x: Tensor, w: Tensor, n: int) -> Tensor:
        return (x @ w.transpose(0, 1)).unflatten(-1, (n, d)).movedim(-2, -3)

    Q = heads(q, wq, num_heads)
    K = heads(k, wk, num_kv_heads).repeat_interleave(num_heads // num_kv_heads, dim=-3)
    V = heads(v, wv, num_kv_heads).repeat_interleave(num_heads // num_kv_heads, dim=-3)
    scores = Q @ K.transpose(-1, -2) * (d**-0.5 if scale is None else scale)
    if mask is not None:
        if mask.dim() == scores.dim() - 1:
            mask = mask.unsqueeze(-3)
        if mask.is_floating_point():
            scores = scores + mask
        else:
            scores = scores.masked_fill(mask.bool(), -torch.inf)
    z = torch.logsumexp(scores, dim=-1, keepdim=True)
    out = torch.exp(scores - z) @ V
    return out.movedim(-3, -2).flatten(-2) @ out_proj_weight.transpose(0, 1)
