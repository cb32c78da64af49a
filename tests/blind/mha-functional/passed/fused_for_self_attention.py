"""Multi-head attention with one matrix product for all three projections where q, k and v are one tensor."""
import torch


def _project(q, k, v, weight):
    if q is k and k is v:
        return (q @ weight.T).chunk(3, dim=-1)
    w_q, w_k, w_v = weight.chunk(3)
    if k is v:
        return (q @ w_q.T, *(k @ torch.cat((w_k, w_v)).T).chunk(2, dim=-1))
    return q @ w_q.T, k @ w_k.T, v @ w_v.T


def _softmax(s):
    e = torch.exp(s - torch.max(s, dim=-1, keepdim=True).values.detach())
    return e / torch.sum(e, dim=-1, keepdim=True)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    heads = lambda t: torch.stack(t.split(d_model // num_heads, dim=-1), dim=1)
    Q, K, V = map(heads, _project(q, k, v, in_proj_weight))
    M = 0.0
    if mask is not None:
        M = torch.zeros(mask.shape, dtype=q.dtype).masked_fill(mask.bool(), -torch.inf)
        M = M[:, None] if M.dim() == 3 else M
    A = _softmax(Q @ K.transpose(-1, -2) / (d_model // num_heads) ** 0.5 + M)
    return torch.cat((A @ V).unbind(1), dim=-1) @ out_proj_weight.T
