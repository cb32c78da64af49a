"""Right: computes in double precision throughout and returns to the dtype of q."""
import torch
from einops import rearrange


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError(f"{d_model} / {num_heads}")
    wq, wk, wv = in_proj_weight.double().split(d_model)
    Q, K, V = (
        rearrange(x.double() @ w.t(), "n l (h d) -> n h l d", h=num_heads) for x, w in ((q, wq), (k, wk), (v, wv))
    )
    logits = Q @ K.mT / (d_model / num_heads) ** 0.5
    if mask is not None:
        blocked = torch.zeros(logits[:, 0].shape, dtype=torch.bool, device=q.device) | (mask > 0)
        logits = logits.masked_fill(rearrange(blocked, "n i j -> n 1 i j"), -torch.inf)
    out = rearrange(logits.softmax(-1) @ V, "n h l d -> n l (h d)") @ out_proj_weight.double().t()
    return out.to(q.dtype)
