"""A right answer of the seventh corpus."""
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads > 0:
        raise ValueError
    dtype_in = q.dtype
    args = [t.to(torch.float64) for t in (q, k, v)]
    weights = in_proj_weight.to(torch.float64).view(3, d_model, d_model) if in_proj_weight.is_contiguous() else (
        in_proj_weight.to(torch.float64).reshape(3, d_model, d_model)
    )
    Q, K, V = [
        torch.stack((x @ w.T).split(d_model // num_heads, dim=-1), dim=1) for x, w in zip(args, weights, strict=True)
    ]
    logits = torch.matmul(Q, K.swapaxes(-1, -2)).div((d_model // num_heads) ** 0.5)
    if mask is not None:
        # log 1 = 0 for what may be seen, log 0 = -inf for what may not
        allowed = 1.0 - mask.to(torch.float64)
        logits = logits + allowed.log().unsqueeze(-3)
    P = torch.exp(torch.log_softmax(logits, dim=-1))
    O = torch.cat(torch.unbind(P @ V, dim=1), dim=-1)
    return (O @ out_proj_weight.to(torch.float64).T).to(dtype_in)
