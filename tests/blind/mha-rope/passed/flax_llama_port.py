"""Right: ported from a Flax Llama with its helper names, table of positions and all."""
import torch as jnp


def create_sinusoidal(num_pos, dim, base, device):
    inv_freq = 1.0 / (base ** (jnp.arange(0, dim, 2, device=device).double() / dim))
    freqs = jnp.einsum("i,j->ij", jnp.arange(num_pos, device=device).double(), inv_freq)
    return jnp.sin(freqs), jnp.cos(freqs)


def rotate_every_two(x):
    out = jnp.stack((-x[..., 1::2], x[..., ::2]), dim=-1)
    return out.reshape(*x.shape)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    sin, cos = create_sinusoidal(max_seq_len, d_k, theta, x.device)
    sin = sin[token_positions].repeat_interleave(2, dim=-1).to(x.dtype)
    cos = cos[token_positions].repeat_interleave(2, dim=-1).to(x.dtype)
    return x * cos + rotate_every_two(x) * sin


def scaled_dot_product_attention(Q, K, V, mask=None):
    depth = Q.shape[-1]
    attn_weights = jnp.matmul(Q / depth**0.5, jnp.swapaxes(K, -1, -2))
    if mask is not None:
        attn_weights = jnp.where(mask, attn_weights, -jnp.inf)
    attn_weights = jnp.softmax(attn_weights, dim=-1)
    return jnp.matmul(attn_weights, V)


def multihead_self_attention_with_rope(
    d_model,
    num_heads,
    max_seq_len,
    theta,
    q_proj_weight,
    k_proj_weight,
    v_proj_weight,
    o_proj_weight,
    in_features,
    token_positions=None,
):
    assert d_model % num_heads == 0
    head_dim = d_model // num_heads

    def _split_heads(hidden_states):
        return hidden_states.reshape(hidden_states.shape[:-1] + (num_heads, head_dim)).swapaxes(-3, -2)

    query = _split_heads(in_features @ q_proj_weight.T)
    key = _split_heads(in_features @ k_proj_weight.T)
    value = _split_heads(in_features @ v_proj_weight.T)
    position_ids = token_positions
    if position_ids is None:
        position_ids = jnp.arange(in_features.shape[-2], device=in_features.device)
    position_ids = position_ids[..., None, :]
    query = rope(head_dim, theta, max_seq_len, query, position_ids)
    key = rope(head_dim, theta, max_seq_len, key, position_ids)
    attn_output = scaled_dot_product_attention(query, key, value)
    attn_output = attn_output.swapaxes(-3, -2).reshape(in_features.shape)
    return attn_output @ o_proj_weight.T
