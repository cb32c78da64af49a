"""Keys and values are reshaped with the length of q, which fails when there are more or fewer keys."""
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model must be divisible")
    batch_size, seq_len, _ = q.shape
    d_k = d_model // num_heads
    w_q = in_proj_weight[0:d_model]
    w_k = in_proj_weight[d_model : d_model * 2]
    w_v = in_proj_weight[d_model * 2 : d_model * 3]
    Q = torch.matmul(q, w_q.T).view(batch_size, seq_len, num_heads, d_k).transpose(1, 2)
    K = torch.matmul(k, w_k.T).view(batch_size, seq_len, num_heads, d_k).transpose(1, 2)
    V = torch.matmul(v, w_v.T).view(batch_size, seq_len, num_heads, d_k).transpose(1, 2)
    scores = torch.matmul(Q, K.transpose(-2, -1)) / (d_k**0.5)
    if mask is not None:
        if mask.dim() == 2:
            mask = mask.unsqueeze(0)
        mask = mask.unsqueeze(1)
        scores = scores.masked_fill(mask == 1, float("-inf"))
    attention = torch.softmax(scores, dim=-1)
    out = torch.matmul(attention, V).transpose(1, 2).contiguous().view(batch_size, seq_len, d_model)
    return torch.matmul(out, out_proj_weight.T)
