# Says: The function returns a Python list with one tensor per sequence, `return results`; join them with `torch.stack(results)`.
# Line: 24
# Names: list, torch.stack
# Kind: other
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    hd = d_model // num_heads
    wq, wk, wv = in_proj_weight.chunk(3)
    if mask is not None:
        mask = mask.bool().expand(q.shape[0], q.shape[1], k.shape[1])
    results = []
    for b in range(q.shape[0]):  # one sequence after the other
        Q = (q[b] @ wq.T).reshape(-1, num_heads, hd).transpose(0, 1)
        K = (k[b] @ wk.T).reshape(-1, num_heads, hd).transpose(0, 1)
        V = (v[b] @ wv.T).reshape(-1, num_heads, hd).transpose(0, 1)
        s = Q @ K.transpose(1, 2) / hd ** 0.5
        if mask is not None:
            s = s.masked_fill(mask[b], float("-inf"))
        o = torch.softmax(s, dim=-1) @ V
        results.append(o.transpose(0, 1).reshape(-1, d_model) @ out_proj_weight.T)
    return results
