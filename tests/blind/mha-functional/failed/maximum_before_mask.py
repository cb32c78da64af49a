"""Wrong: the maximum is taken off before the mask, so a large hidden score drives all the visible ones to zero."""
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("the number of heads must divide d_model")
    d_head = d_model // num_heads
    owner = torch.arange(d_model, device=q.device) // d_head
    mine = torch.nn.functional.one_hot(owner, num_heads).T.to(q.dtype)  # (heads, d_model) of 0 and 1
    Q, K, V = (torch.matmul(x, w.T).unsqueeze(1) for x, w in zip((q, k, v), torch.chunk(in_proj_weight, 3)))
    mine = mine[None, :, None, :]
    scores = (Q * mine) @ K.transpose(-1, -2) / d_head**0.5
    top = scores.amax(-1, keepdim=True)
    if mask is not None:
        hidden = torch.zeros_like(scores, dtype=torch.bool) | mask.bool().unsqueeze(-3)
        scores = scores.masked_fill(hidden, float("-inf"))
    powers = (scores - top).exp()
    out = (powers / powers.sum(-1, keepdim=True) @ (V * mine)).sum(1)
    return out @ out_proj_weight.T
