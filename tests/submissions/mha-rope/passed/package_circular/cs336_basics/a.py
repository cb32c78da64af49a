import math
import functools

import numpy as np
import torch
import torch.nn.functional as F
from einops import einsum, rearrange, repeat
from torch import Tensor, nn

import cs336_basics.b

def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    k = torch.arange(0, d_k // 2, device=x.device, dtype=torch.float32)
    inv_freq = theta ** (-2 * k / d_k)
    pos = token_positions.to(torch.float32)
    angles = pos.unsqueeze(-1) * inv_freq
    cos = angles.cos().to(x.dtype)
    sin = angles.sin().to(x.dtype)
    even = x[..., 0::2]
    odd = x[..., 1::2]
    new_even = even * cos - odd * sin
    new_odd = even * sin + odd * cos
    out = torch.empty_like(x)
    out[..., 0::2] = new_even
    out[..., 1::2] = new_odd
    return out
