"""Every query sees only what came before it.

Idea: A causal mask is applied, although nobody asked for one.
Where: everywhere (with more than one key)
Id: causal-mask
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model must be a multiple of num_heads")
    B, T, S = q.shape[0], q.shape[1], k.shape[1]
    q, k, v = (
        torch.nn.functional.linear(x, w).view(B, -1, num_heads, d_model // num_heads).transpose(1, 2)
        for x, w in zip((q, k, v), in_proj_weight.chunk(3))
    )
    hidden = torch.arange(S, device=q.device)[None, :] > torch.arange(T, device=q.device)[:, None]
    hidden = hidden.expand(B, T, S)
    if mask is not None:
        both = hidden | mask.bool()
        hidden = torch.where(both.all(-1, keepdim=True), mask.bool(), both)
    att = (q @ k.transpose(-2, -1) * k.size(-1) ** -0.5).masked_fill(hidden.unsqueeze(1), float("-inf"))
    y = (att.softmax(-1) @ v).transpose(1, 2).reshape(B, T, d_model)
    return torch.nn.functional.linear(y, out_proj_weight)
