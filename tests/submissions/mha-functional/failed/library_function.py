"""F.multi_head_attention_forward with everything handed on.
Rule: no-library-attention
"""

from torch.nn import functional as nnf


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    if mask is not None:
        mask = mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]).repeat_interleave(num_heads, dim=0)
    out = nnf.multi_head_attention_forward(
        q.transpose(0, 1), k.transpose(0, 1), v.transpose(0, 1), d_model, num_heads, in_proj_weight, None, None, None,
        False, 0.0, out_proj_weight, None, attn_mask=mask, need_weights=False,
    )[0]
    return out.transpose(0, 1)
