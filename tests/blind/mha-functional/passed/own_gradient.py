"""A right answer of the seventh corpus."""
import torch


class Attend(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, hidden, scale):
        s = torch.matmul(q, k.transpose(-1, -2)) * scale
        if hidden is not None:
            s.masked_fill_(hidden, float("-inf"))
        s -= s.amax(dim=-1, keepdim=True)
        p = s.exp_()
        p /= p.sum(dim=-1, keepdim=True)
        ctx.save_for_backward(q, k, v, p)
        ctx.scale = scale
        return p @ v

    @staticmethod
    def backward(ctx, do):
        q, k, v, p = ctx.saved_tensors
        dv = p.transpose(-1, -2) @ do
        dp = do @ v.transpose(-1, -2)
        ds = p * (dp - (dp * p).sum(-1, keepdim=True)) * ctx.scale
        return ds @ k, ds.transpose(-1, -2) @ q, dv, None, None


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    hd = d_model // num_heads
    projected = []
    for i, x in enumerate([q, k, v]):
        w = in_proj_weight[i * d_model : (i + 1) * d_model]
        projected.append((x @ w.T).unflatten(2, (num_heads, hd)).movedim(2, 1))
    hidden = mask
    if hidden is not None:
        hidden = hidden.to(torch.bool)
        hidden = hidden[..., None, :, :]
    out = Attend.apply(*projected, hidden, hd**-0.5)
    return out.movedim(1, 2).flatten(2) @ out_proj_weight.T
