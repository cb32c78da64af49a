# Says: You reshape the keys with `seq`, which is the length of `q`, but `k` can have another length: take `k.shape[1]` for keys and values.
# Line: 22
# Names: seq, k.shape[1]
# Kind: crash
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model % num_heads != 0")
    batch, seq, _ = q.shape
    d_head = d_model // num_heads

    Wq = in_proj_weight[:d_model]
    Wk = in_proj_weight[d_model:2 * d_model]
    Wv = in_proj_weight[2 * d_model:]
    Q = q @ Wq.T
    K = k @ Wk.T
    V = v @ Wv.T

    Q = Q.reshape(batch, seq, num_heads, d_head).permute(0, 2, 1, 3)
    K = K.reshape(batch, seq, num_heads, d_head).permute(0, 2, 1, 3)
    V = V.reshape(batch, seq, num_heads, d_head).permute(0, 2, 1, 3)

    scores = Q @ K.transpose(2, 3) / d_head ** 0.5
    if mask is not None:
        mask = mask.bool()
        if mask.dim() == 3:
            mask = mask[:, None]
        scores = scores.masked_fill(mask, -torch.inf)
    probs = scores.softmax(dim=-1)
    ctx = (probs @ V).permute(0, 2, 1, 3).reshape(batch, seq, d_model)
    return ctx @ out_proj_weight.T
