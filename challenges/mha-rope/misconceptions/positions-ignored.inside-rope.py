"""token_positions is ignored inside rope.

It is passed to `rope`, but rope counts 0, 1, 2, ... whatever it contains. Positions may start anywhere, have gaps, or
come in any order; only the given values say where a token is.
"""


def pair_angles(d_k, theta, token_positions):
    places = torch.arange(token_positions.shape[-1], device=token_positions.device)
    return places.to(torch.float64)[..., None] * pair_frequencies(d_k, theta)
