"""Multi-head attention in log space: the weights are exp(score - logsumexp of the visible scores)."""
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    d_head, left = divmod(d_model, num_heads)
    if left != 0:
        raise AssertionError("heads of unequal width")

    def into_heads(x, block):
        w = in_proj_weight.narrow(0, block * d_model, d_model)
        return torch.tensordot(x, w, dims=([2], [1])).unflatten(2, (num_heads, d_head)).transpose(1, 2)

    a, b, c = into_heads(q, 0), into_heads(k, 1), into_heads(v, 2)
    scores = (a @ b.transpose(-1, -2)) * (1.0 / d_head**0.5)
    if mask is not None:
        seen = torch.logical_not(mask)
        seen = seen.reshape((1,) * (3 - seen.ndim) + tuple(seen.shape)).unsqueeze(1)
        scores = torch.where(seen, scores, torch.full_like(scores, float("-inf")))
    weights = torch.log_softmax(scores, dim=-1).exp()
    mixed = (weights @ c).transpose(1, 2).flatten(start_dim=2)
    return torch.tensordot(mixed, out_proj_weight, dims=([2], [1]))
