import torch
from einops import rearrange
from torch import Tensor


def rope(in_query_or_key: Tensor, token_positions: Tensor, d_k: int, theta: float, max_seq_len: int) -> Tensor:
    device = in_query_or_key.device
    inverse = 1.0 / theta ** (torch.arange(0, d_k, 2, device=device, dtype=torch.float32) / d_k)
    table = torch.outer(torch.arange(max_seq_len, device=device, dtype=torch.float32), inverse)
    cos, sin = table.cos()[token_positions], table.sin()[token_positions]
    x1, x2 = rearrange(in_query_or_key, "... (pairs two) -> two ... pairs", two=2)
    turned = torch.stack((x1 * cos - x2 * sin, x1 * sin + x2 * cos))
    return rearrange(turned, "two ... pairs -> ... (pairs two)").to(in_query_or_key.dtype)
