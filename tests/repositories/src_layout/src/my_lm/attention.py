import torch

import my_lm
from my_lm.functional import scaled_dot_product_attention
from my_lm.rotary import rope
from my_lm.tokenizer import Tokenizer


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    if d_model % num_heads:
        raise ValueError(f"{num_heads} heads do not share {d_model} features evenly")
    d_head = d_model // num_heads
    *batch, seq, _ = in_features.shape
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    q, k, v = (
        (in_features @ w.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    q, k = (rope(d_head, theta, max_seq_len, t, token_positions) for t in (q, k))
    out = scaled_dot_product_attention(q, k, v)
    return out.transpose(-3, -2).reshape(*batch, seq, d_model) @ o_proj_weight.T


def tokenize(text, tokenizer: "Tokenizer"):
    return tokenizer.encode(text), my_lm.__version__
