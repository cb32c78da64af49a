"""Turns the mask into zeros and minus infinities and adds it."""

import torch


def additive(mask, like):
    bias = torch.zeros(mask.shape, dtype=like.dtype, device=like.device)
    bias = bias.masked_fill(mask.to(torch.bool), float("-inf"))
    while bias.dim() < 3:
        bias = bias.unsqueeze(0)
    return bias.unsqueeze(1)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise AssertionError("d_model must be a multiple of num_heads")
    head = d_model // num_heads
    batch = q.size(0)

    def heads(x, w):
        return torch.matmul(x, w.t()).reshape(batch, -1, num_heads, head).permute(0, 2, 1, 3)

    qh = heads(q, in_proj_weight[:d_model])
    kh = heads(k, in_proj_weight[d_model : 2 * d_model])
    vh = heads(v, in_proj_weight[2 * d_model :])
    logits = torch.matmul(qh, kh.permute(0, 1, 3, 2)) / torch.sqrt(torch.tensor(head, dtype=q.dtype))
    if mask is not None:
        logits = logits + additive(mask, logits)
    probs = torch.nn.functional.softmax(logits, dim=3)
    merged = torch.matmul(probs, vh).permute(0, 2, 1, 3).contiguous().view(batch, -1, d_model)
    return torch.matmul(merged, out_proj_weight.t())
