# Says: You define `num_heads` but write `n_heads` in `d_head = d_model // n_heads`, and nothing of that name exists.
# Line: 26
# Names: n_heads, num_heads
# Kind: crash
import torch, math
from einops import rearrange

def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    i = torch.arange(d_k // 2, device=in_query_or_key.device)
    inv_freq = theta ** (-2 * i.double() / d_k)
    angles = token_positions.unsqueeze(-1).double() * inv_freq
    c, s = angles.cos().type_as(in_query_or_key), angles.sin().type_as(in_query_or_key)
    x = rearrange(in_query_or_key, '... (d two) -> ... d two', two=2)
    a, b = x[..., 0], x[..., 1]
    return rearrange(torch.stack([a * c - b * s, a * s + b * c], dim=-1), '... d two -> ... (d two)')

def scaled_dot_product_attention(Q, K, V, mask=None):
    att = torch.einsum('...qd,...kd->...qk', Q, K) / math.sqrt(Q.shape[-1])
    if mask is not None:
        att = att.masked_fill(~mask, -torch.inf)
    return torch.einsum('...qk,...kd->...qd', att.softmax(-1), V)

def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    d_head = d_model // n_heads
    split = lambda t: rearrange(t, '... s (h d) -> ... h s d', h=num_heads)
    Q, K, V = (split(in_features @ w.T) for w in (q_proj_weight, k_proj_weight, v_proj_weight))
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q, K = (rope(d_head, theta, max_seq_len, t, token_positions) for t in (Q, K))
    y = scaled_dot_product_attention(Q, K, V)
    return rearrange(y, '... h s d -> ... s (h d)') @ o_proj_weight.T
