"""Wrong: a cheat; F.multi_head_attention_forward does all the work, reached through vars() and an innocent alias."""

import torch
import torch.nn.functional as helpers

blend = vars(helpers)["multi_head" + "_attention" + "_forward"]


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    if mask is not None:
        mask = mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]).repeat_interleave(num_heads, dim=0)
    out, _ = blend(
        q.transpose(0, 1), k.transpose(0, 1), v.transpose(0, 1), d_model, num_heads, in_proj_weight, None, None, None,
        False, 0.0, out_proj_weight, None, training=False, need_weights=False, attn_mask=mask,
    )
    return out.transpose(0, 1)
