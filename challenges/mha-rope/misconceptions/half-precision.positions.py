"""Positions are in half precision.

bfloat16 represents every integer only up to 256; larger positions are rounded, so several tokens rotate by the same
angle. Positions are integers: keep them that way until you multiply them by the frequencies, in float32 or float64.
"""


def pair_angles(d_k, theta, token_positions):
    return token_positions.to(torch.bfloat16).to(torch.float64)[..., None] * pair_frequencies(d_k, theta)
