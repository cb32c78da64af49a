"""Relative imports, a star import and a subpackage."""


from . import positions as pos_module
from .nn import *
from .nn.softmax import softmax as my_softmax


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    Q = in_features @ q_proj_weight.T
    K = in_features @ k_proj_weight.T
    V = in_features @ v_proj_weight.T
    batch_shape = Q.shape[:-2]
    seq_len = Q.shape[-2]
    Q = Q.view(*batch_shape, seq_len, num_heads, d_head).transpose(-3, -2)
    K = K.view(*batch_shape, seq_len, num_heads, d_head).transpose(-3, -2)
    V = V.view(*batch_shape, seq_len, num_heads, d_head).transpose(-3, -2)
    if token_positions is None:
        token_positions = pos_module.count(seq_len)
    if token_positions.ndim > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q_rope = rope(d_head, theta, max_seq_len, Q, token_positions)
    K_rope = rope(d_head, theta, max_seq_len, K, token_positions)
    attn_output = scaled_dot_product_attention(Q_rope, K_rope, V, mask=None)
    attn_output = attn_output.transpose(-3, -2)
    attn_output = attn_output.reshape(*batch_shape, seq_len, d_model)
    return attn_output @ o_proj_weight.T
