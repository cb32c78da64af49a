import torch
from .rotary import apply_rope
from .sdpa import scaled_dot_product_attention as sdpa
def mha_with_rope(in_features, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, *, num_heads, d_model, theta, max_seq_len, token_positions=None):
    assert d_model % num_heads == 0
    *batch, seq, _ = in_features.shape
    d = d_model // num_heads
    if token_positions is None:
        token_positions = torch.arange(seq)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    q, k, v = ((in_features @ w.T).reshape(*batch, seq, num_heads, d).transpose(-3, -2) for w in (q_proj_weight, k_proj_weight, v_proj_weight))
    q, k = (apply_rope(d, theta, max_seq_len, t, token_positions) for t in (q, k))
    return sdpa(q, k, v).transpose(-3, -2).reshape(*batch, seq, d_model) @ o_proj_weight.T
