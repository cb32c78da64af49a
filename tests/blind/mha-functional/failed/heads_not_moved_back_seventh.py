"""The heads are merged without moving them back behind the tokens."""
import math
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError
    N, Lq, Lk, dh = q.shape[0], q.shape[1], k.shape[1], d_model // num_heads
    Wq, Wk, Wv = in_proj_weight.view(3, d_model, d_model) if in_proj_weight.is_contiguous() else in_proj_weight.chunk(3)
    Q = torch.matmul(q, Wq.t()).reshape(N, Lq, num_heads, dh).transpose(1, 2)
    K = torch.matmul(k, Wk.t()).reshape(N, Lk, num_heads, dh).transpose(1, 2)
    V = torch.matmul(v, Wv.t()).reshape(N, Lk, num_heads, dh).transpose(1, 2)
    scores = Q @ K.transpose(2, 3) / math.sqrt(dh)
    if mask is not None:
        scores = scores.masked_fill(mask.bool()[..., None, :, :], -math.inf)
    context = torch.softmax(scores, dim=3) @ V
    context = context.contiguous().view(N, Lq, d_model)
    return context @ out_proj_weight.t()
