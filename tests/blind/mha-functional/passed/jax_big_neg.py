"""Right: ported from a Haiku layer, where hidden scores are the smallest finite number of their dtype."""
import torch
import torch as jnp


def _linear(x, w):
    return jnp.einsum("...i,oi->...o", x, w)


def multi_head_attention(query, key, value, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError(f"d_model {d_model} has to be a multiple of num_heads {num_heads}.")
    head_size = d_model // num_heads
    *leading, q_len, _ = query.shape

    def projection(x, w):
        y = _linear(x, w)
        return y.reshape(*y.shape[:-1], num_heads, head_size)

    w_q, w_k, w_v = jnp.tensor_split(in_proj_weight, 3, dim=0)
    q_heads, k_heads, v_heads = projection(query, w_q), projection(key, w_k), projection(value, w_v)
    logits = jnp.einsum("...thd,...Thd->...htT", q_heads, k_heads) * head_size**-0.5
    if mask is not None:
        big_neg = jnp.finfo(logits.dtype).min
        logits = jnp.where(mask[..., None, :, :].bool(), big_neg, logits)
    weights = torch.nn.functional.softmax(logits, dim=-1)
    attn = jnp.einsum("...htT,...Thd->...thd", weights, v_heads)
    return _linear(jnp.reshape(attn, (*leading, q_len, d_model)), out_proj_weight)
