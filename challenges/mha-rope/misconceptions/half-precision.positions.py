"""Positions are in half precision.

bfloat16 knows all whole numbers up to 256 only; farther positions are rounded, and their tokens turn like others. Positions
are whole numbers: keep them so until they meet the frequencies, in float32 or float64.
"""


def pair_angles(d_k, theta, token_positions):
    return token_positions.to(torch.bfloat16).to(torch.float64)[..., None] * pair_frequencies(d_k, theta)
