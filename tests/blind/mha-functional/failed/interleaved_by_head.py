"""Reads the input weights as GPT-NeoX stores them: for each head its queries, keys and values in turn."""
# expect: in_proj rows interleaved per head
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("num_heads must divide d_model")
    a = d_model // num_heads
    Wq, Wk, Wv = in_proj_weight.reshape(num_heads, 3, a, d_model).unbind(1)
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
