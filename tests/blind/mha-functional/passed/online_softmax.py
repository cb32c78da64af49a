"""A right answer of the seventh corpus."""
import torch

NEG = -1.0e30


def _heads(x, w, n):
    y = torch.nn.functional.linear(x, w)
    return y.reshape(y.shape[0], y.shape[1], n, -1).permute(0, 2, 1, 3)


def multi_head_attention(
    q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight, block_size=4
):
    if d_model % num_heads != 0:
        raise ValueError("bad number of heads")
    Wq, Wk, Wv = torch.split(in_proj_weight, d_model)
    Q, K, V = _heads(q, Wq, num_heads), _heads(k, Wk, num_heads), _heads(v, Wv, num_heads)
    n, _, lq, dh = Q.shape
    lk = K.shape[2]
    Q = Q / (dh**0.5)
    hidden = None if mask is None else mask.bool().expand(n, lq, lk).unsqueeze(1)

    m = Q.new_full((n, num_heads, lq, 1), NEG)
    l = Q.new_zeros((n, num_heads, lq, 1))
    acc = torch.zeros_like(Q)
    for j in range(0, lk, block_size):
        s = Q @ K[:, :, j : j + block_size].transpose(-1, -2)
        if hidden is not None:
            s = s.masked_fill(hidden[..., j : j + block_size], NEG)
        m_new = torch.maximum(m, s.detach().amax(-1, keepdim=True))
        p = torch.exp(s - m_new)
        alpha = torch.exp(m - m_new)
        l = alpha * l + p.sum(-1, keepdim=True)
        acc = alpha * acc + p @ V[:, :, j : j + block_size]
        m = m_new
    out = acc / l
    out = out.permute(0, 2, 1, 3).reshape(n, lq, d_model)
    return out @ out_proj_weight.T
