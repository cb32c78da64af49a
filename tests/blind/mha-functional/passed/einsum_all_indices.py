"""Right: a physicist's answer, every sum an einsum with the head as an index of the weights."""
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("num_heads must divide d_model")
    a = d_model // num_heads
    Wq, Wk, Wv = in_proj_weight.reshape(3, num_heads, a, d_model)
    Wo = out_proj_weight.reshape(d_model, num_heads, a)
    # h: head, a: feature of head, m: feature of model, i/j: query/key
    Q = torch.einsum("nim,ham->nhia", q, Wq)
    K = torch.einsum("njm,ham->nhja", k, Wk)
    V = torch.einsum("njm,ham->nhja", v, Wv)
    S = torch.einsum("nhia,nhja->nhij", Q, K) * a**-0.5
    if mask is not None:
        hidden = torch.broadcast_to(mask != 0, (S.shape[0], S.shape[2], S.shape[3]))
        S = torch.where(hidden[:, None], float("-inf"), S)
    P = S.softmax(dim=3)
    return torch.einsum("nhij,nhja,mha->nim", P, V, Wo)
