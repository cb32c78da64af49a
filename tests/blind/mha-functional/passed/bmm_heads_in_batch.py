# Right: the heads become part of the batch, so that torch.bmm on three axes does the work (CRLF line ends)
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("num_heads (%d) must divide d_model (%d)" % (num_heads, d_model))
    N = q.size(0); Lq = q.size(1); Lk = k.size(1); dh = d_model // num_heads

    def heads(t, w):  # (N, L, d) -> (N * h, L, dh)
        t = torch.matmul(t, w.t())
        return t.reshape(N, -1, num_heads, dh).permute(0, 2, 1, 3).reshape(N * num_heads, -1, dh)

    Wq = in_proj_weight[:d_model]
    Wk = in_proj_weight[d_model:2 * d_model]
    Wv = in_proj_weight[2 * d_model:]
    Q, K, V = heads(q, Wq), heads(k, Wk), heads(v, Wv)
    S = torch.bmm(Q, K.permute(0, 2, 1)) * dh ** -0.5
    if mask is not None:
        M = torch.broadcast_to(mask != 0, (N, Lq, Lk))
        M = M.repeat_interleave(num_heads, dim=0)     # sequence 0 for all its heads, then sequence 1, ...
        S = torch.where(M, torch.full_like(S, -float('inf')), S)
    A = S.softmax(2)
    O = torch.bmm(A, V).reshape(N, num_heads, Lq, dh).permute(0, 2, 1, 3).reshape(N, Lq, d_model)
    return O.matmul(out_proj_weight.t())
