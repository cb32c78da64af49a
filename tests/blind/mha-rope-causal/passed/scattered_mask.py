"""Right: the causal mask is scattered from tril_indices, rope written with an einsum over constant matrices."""
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    identity = torch.eye(2, dtype=x.dtype, device=x.device)
    quarter = torch.tensor([[0, -1], [1, 0]], dtype=x.dtype, device=x.device)
    half = torch.arange(d_k // 2, dtype=torch.float64, device=x.device)
    angle = token_positions.double()[..., None] * torch.special.exp2(-2 * half / d_k * torch.tensor(theta).double().log2())
    pairs = x.unflatten(-1, (d_k // 2, 2))
    still = torch.einsum("...f,ij,...fj->...fi", angle.cos().to(x.dtype), identity, pairs)
    turned = torch.einsum("...f,ij,...fj->...fi", angle.sin().to(x.dtype), quarter, pairs)
    return (still + turned).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.einsum("...id,...jd->...ij", Q, K) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores + torch.where(mask, 0.0, -torch.inf).to(scores.dtype)
    return torch.einsum("...ij,...jd->...id", torch.special.softmax(scores, dim=-1), V)


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None
):
    if d_model % num_heads != 0:
        raise ValueError(f"d_model = {d_model}, num_heads = {num_heads}: the heads cannot be equally wide")
    n = in_features.size(-2)
    rows, columns = torch.tril_indices(n, n, device=in_features.device)
    visible = torch.zeros(n * n, dtype=torch.bool, device=in_features.device).scatter(0, rows * n + columns, True).view(n, n)
    positions = torch.arange(n, device=in_features.device) if token_positions is None else token_positions
    weights = torch.stack((q_proj_weight, k_proj_weight, v_proj_weight)).unflatten(1, (num_heads, -1))
    q, k, v = torch.einsum("...si,phdi->p...hsd", in_features, weights).unbind(0)
    q = rope(d_model // num_heads, theta, max_seq_len, q, positions.unsqueeze(-2))
    k = rope(d_model // num_heads, theta, max_seq_len, k, positions.unsqueeze(-2))
    z = scaled_dot_product_attention(q, k, v, visible)
    return torch.einsum("...hsd,ohd->...so", z, o_proj_weight.unflatten(1, (num_heads, -1)))
