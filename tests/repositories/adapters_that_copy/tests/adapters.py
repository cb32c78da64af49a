import torch

from cs336_basics.model import AttentionConfig, MultiHeadSelfAttention, rope, scaled_dot_product_attention
from cs336_basics.tokenizer import Tokenizer


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    attention = MultiHeadSelfAttention(AttentionConfig(d_model, num_heads, theta, max_seq_len)).to(in_features)
    attention.load_state_dict(
        {
            "q_proj.weight": q_proj_weight,
            "k_proj.weight": k_proj_weight,
            "v_proj.weight": v_proj_weight,
            "output_proj.weight": o_proj_weight,
        }
    )
    return attention(in_features, token_positions)


def get_tokenizer(vocab, merges):
    return Tokenizer(vocab, merges)
