"""No class at all.
Rejected: does not define `MultiHeadAttention
"""

import torch


def multi_head_attention(x, num_heads):
    return x
