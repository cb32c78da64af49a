import torch
def apply_rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    freq = theta ** (-torch.arange(0, d_k, 2, device=in_query_or_key.device).float() / d_k)
    angles = token_positions.unsqueeze(-1).float() * freq
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = in_query_or_key[..., ::2], in_query_or_key[..., 1::2]
    return torch.stack((x1 * cos - x2 * sin, x1 * sin + x2 * cos), dim=-1).flatten(-2).to(in_query_or_key.dtype)
