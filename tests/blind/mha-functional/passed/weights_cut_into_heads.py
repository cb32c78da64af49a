"""Multi-head attention by einsum with the weights cut into heads, so that nothing is ever split or merged."""
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError(f"{num_heads} heads do not divide {d_model} features")
    w_q, w_k, w_v = in_proj_weight.reshape(3, num_heads, d_model // num_heads, d_model)
    w_o = out_proj_weight.reshape(d_model, num_heads, d_model // num_heads)
    scale = (d_model / num_heads) ** -0.5
    queries = torch.einsum("bqd,hed->bhqe", q * scale, w_q)
    keys = torch.einsum("bkd,hed->bhke", k, w_k)
    values = torch.einsum("bkd,hed->bhke", v, w_v)
    scores = queries @ keys.transpose(2, 3)
    if mask is not None:
        mask = torch.broadcast_to(mask != 0, (q.shape[0], q.shape[1], k.shape[1]))
        scores = torch.where(mask[:, None], torch.full_like(scores, -torch.inf), scores)
    return torch.einsum("bhqk,bhke,ohe->bqo", torch.softmax(scores, 3), values, w_o)
