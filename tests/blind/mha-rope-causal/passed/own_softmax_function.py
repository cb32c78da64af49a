"""A right answer of the seventh corpus."""
import torch


class MaskedSoftmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores, mask):
        scores = scores.clone()
        if mask is not None:
            scores.masked_fill_(~mask, float("-inf"))
        scores.sub_(scores.amax(-1, keepdim=True)).exp_()
        scores.div_(scores.sum(-1, keepdim=True))
        ctx.save_for_backward(scores)
        return scores

    @staticmethod
    def backward(ctx, grad):
        (p,) = ctx.saved_tensors
        inner = (grad * p).sum(-1, keepdim=True)
        return p * (grad - inner), None


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    inv = float(theta) ** torch.arange(0, -d_k, -2, device=in_query_or_key.device).double().div(d_k)
    t = token_positions.unsqueeze(-1).mul(inv)
    cos, sin = torch.cos(t).to(in_query_or_key.dtype), torch.sin(t).to(in_query_or_key.dtype)
    even, odd = torch.split(in_query_or_key.unflatten(-1, (-1, 2)), 1, dim=-1)
    even, odd = even.squeeze(-1), odd.squeeze(-1)
    return torch.cat(((even * cos - odd * sin).unsqueeze(-1), (even * sin + odd * cos).unsqueeze(-1)), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    raw = Q @ K.swapaxes(-1, -2) / (Q.shape[-1] ** 0.5)
    if mask is not None:
        mask = mask.expand(raw.shape)
    return MaskedSoftmax.apply(raw, mask) @ V


def multihead_self_attention_with_rope(
    d_model,
    num_heads,
    max_seq_len,
    theta,
    q_proj_weight,
    k_proj_weight,
    v_proj_weight,
    o_proj_weight,
    in_features,
    token_positions=None,
):
    if d_model % num_heads:
        raise AssertionError(f"{d_model} % {num_heads}")
    n = in_features.shape[-2]
    if token_positions is None:
        token_positions = torch.arange(n, device=in_features.device)
    stacked = torch.cat([q_proj_weight, k_proj_weight, v_proj_weight], dim=0)
    qkv = torch.matmul(in_features, stacked.transpose(0, 1)).chunk(3, dim=-1)
    q, k, v = (torch.stack(t.split(d_model // num_heads, dim=-1), dim=-3) for t in qkv)
    both = rope(d_model // num_heads, theta, max_seq_len, torch.stack((q, k)), token_positions[..., None, :])
    flat = torch.arange(n * n, device=in_features.device)
    mask = (flat % n <= torch.div(flat, n, rounding_mode="floor")).reshape(n, n)
    out = scaled_dot_product_attention(both[0], both[1], v, mask)
    out = torch.cat(out.unbind(-3), dim=-1).reshape(in_features.shape)
    return out @ o_proj_weight.T
