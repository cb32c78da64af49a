"""The exponent of the frequencies is missing its minus sign.

Frequencies fall from 1 towards 1/theta. With a positive exponent they grow from 1 towards theta.
"""


def pair_angles(d_k, theta, token_positions):
    # Of so many radians float32 keeps no digit behind the point, and gives other angles than float64.
    frequencies = theta ** (torch.arange(0, d_k, 2, dtype=torch.float32) / d_k)
    return token_positions.to(torch.float32)[..., None] * frequencies
