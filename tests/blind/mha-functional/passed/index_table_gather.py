"""Right: no reshape anywhere; a table of indices picks each head's features, and the output weight picks them back."""
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model % num_heads must be 0")
    d_head = d_model // num_heads
    first = torch.arange(0, d_model, d_head, device=q.device)
    table = first[:, None] + torch.arange(d_head, device=q.device)  # (heads, d_head)

    def project(x, block):
        rows = in_proj_weight[block * d_model + table]  # (heads, d_head, d_model)
        return x[:, None] @ rows.transpose(-2, -1)  # (N, heads, L, d_head)

    scores = project(q, 0) @ project(k, 1).transpose(-2, -1) / d_head**0.5
    if mask is not None:
        visible = (mask == 0).expand(q.shape[0], q.shape[1], k.shape[1])
        scores = scores.where(visible[:, None], torch.tensor(-torch.inf, dtype=scores.dtype, device=q.device))
    each = torch.softmax(scores, -1) @ project(v, 2)
    columns = out_proj_weight[:, table].permute(1, 2, 0)  # (heads, d_head, d_model)
    return (each @ columns).sum(1)
