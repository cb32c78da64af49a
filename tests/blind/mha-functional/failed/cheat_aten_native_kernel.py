"""Calls the kernel below the library's attention through torch.ops and the dispatcher, not by its public name."""
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("not divisible")
    Q, K, V = (
        (x @ w.T).unflatten(-1, (num_heads, -1)).transpose(1, 2) for x, w in zip((q, k, v), in_proj_weight.chunk(3))
    )
    allowed = None
    if mask is not None:
        allowed = mask == 0
        allowed = (allowed[:, None] if allowed.dim() == 3 else allowed).expand(-1, 1, *Q.shape[2:3], K.shape[2]) if allowed.dim() == 3 else allowed
    kernel = getattr(torch.ops.aten, "_scaled_dot" + "_product_attention_math")
    return kernel(Q, K, V, allowed)[0].transpose(1, 2).flatten(2) @ out_proj_weight.T
