"""torch's own function, handed everything that it asks for."""

from torch.nn.functional import multi_head_attention_forward


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    n, l_q, l_k = q.size(0), q.size(1), k.size(1)
    if mask is not None:
        mask = mask.bool().expand(n, l_q, l_k).repeat_interleave(num_heads, dim=0)
    out, _ = multi_head_attention_forward(
        q.transpose(0, 1),
        k.transpose(0, 1),
        v.transpose(0, 1),
        d_model,
        num_heads,
        in_proj_weight,
        None,
        None,
        None,
        False,
        0.0,
        out_proj_weight,
        None,
        need_weights=False,
        attn_mask=mask,
    )
    return out.transpose(0, 1)
