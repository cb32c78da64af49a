# Says: The mask is True where a query must NOT look, but `att.masked_fill(~mask, float("-inf"))` hides the other keys: drop the `~`.
# Line: 21
# Names: mask, ~
# Kind: wrong idea
import torch
from einops import rearrange


def split_heads(t, h):
    return rearrange(t, "n l (h d) -> n h l d", h=h)


def merge_heads(t):
    return rearrange(t, "n h l d -> n l (h d)")


def attention(Q, K, V, mask=None):
    scale = Q.shape[-1] ** -0.5
    att = torch.einsum("nhid,nhjd->nhij", Q, K) * scale
    if mask is not None:
        att = att.masked_fill(~mask, float("-inf"))
    att = att.softmax(dim=-1)
    return torch.einsum("nhij,nhjd->nhid", att, V)


def multi_head_attention(
    q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight
):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    wq = in_proj_weight[:d_model]
    wk = in_proj_weight[d_model : 2 * d_model]
    wv = in_proj_weight[2 * d_model :]
    Q = split_heads(q @ wq.T, num_heads)
    K = split_heads(k @ wk.T, num_heads)
    V = split_heads(v @ wv.T, num_heads)
    if mask is not None:
        mask = mask.to(torch.bool)
        if mask.ndim == 3:
            mask = mask[:, None]
    y = merge_heads(attention(Q, K, V, mask))
    return y @ out_proj_weight.T
