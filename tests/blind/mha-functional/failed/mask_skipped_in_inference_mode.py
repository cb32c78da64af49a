"""Leaves the mask out when only inference is done.

Idea: Under inference_mode the mask is passed over, as if it mattered in training only.
Where: only under inference_mode with a mask
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model % num_heads")
    masked = mask is not None and not torch.is_inference_mode_enabled()
    W = in_proj_weight.reshape(3, num_heads, -1, d_model)
    Q, K, V = (torch.einsum("nld,hed->nlhe", x, W[i]) for i, x in enumerate([q, k, v]))
    s = torch.einsum("nihe,njhe->nijh", Q, K) / Q.shape[-1] ** 0.5
    if masked:
        s = s.masked_fill(mask.bool().unsqueeze(-1), float("-inf"))
    return torch.einsum("nijh,njhe->nihe", s.softmax(2), V).flatten(2) @ out_proj_weight.T
