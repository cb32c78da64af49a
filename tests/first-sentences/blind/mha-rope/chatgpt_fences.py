# Says: The first line of your file, "```python", is Markdown from a chat and not Python: delete the lines with the three backticks.
# Line: 5
# Names: ```python
# Kind: refused
```python
import torch
import torch.nn.functional as F


def rope(d_k, theta, max_seq_len, x, pos):
    """llama style, with complex numbers"""
    freqs = theta ** (-torch.arange(0, d_k, 2, device=x.device).double() / d_k)
    ang = pos[..., None].double() * freqs
    rot = torch.polar(torch.ones_like(ang), ang)
    rot = rot.to(torch.complex128 if x.dtype == torch.float64 else torch.complex64)
    xc = torch.view_as_complex(x.reshape(*x.shape[:-1], d_k // 2, 2).contiguous())
    return torch.view_as_real(xc * rot).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    att = Q @ K.mT * Q.size(-1) ** -0.5
    if mask is not None:
        att = att.masked_fill(~mask, -torch.inf)
    att = F.softmax(att, dim=-1)
    return att @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, wq, wk, wv, wo, x, token_positions=None):
    if d_model % num_heads:
        raise ValueError(f"{d_model=} is not a multiple of {num_heads=}")
    dh = d_model // num_heads
    T = x.size(-2)
    q = F.linear(x, wq).unflatten(-1, (num_heads, dh)).transpose(-3, -2)
    k = F.linear(x, wk).unflatten(-1, (num_heads, dh)).transpose(-3, -2)
    v = F.linear(x, wv).unflatten(-1, (num_heads, dh)).transpose(-3, -2)
    pos = torch.arange(T, device=x.device) if token_positions is None else token_positions
    if pos.dim() > 1:
        pos = pos.unsqueeze(-2)
    q = rope(dh, theta, max_seq_len, q, pos)
    k = rope(dh, theta, max_seq_len, k, pos)
    y = scaled_dot_product_attention(q, k, v)
    y = y.transpose(-3, -2).flatten(-2)
    return F.linear(y, wo)
```
