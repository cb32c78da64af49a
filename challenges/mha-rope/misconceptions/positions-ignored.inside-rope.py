"""token_positions is ignored inside rope.

It is handed to `rope`, and there 0, 1, 2, ... are counted, whatever it says. Positions may start anywhere, have gaps, or
come in any order; only the values given say where a token stands.
"""


def pair_angles(d_k, theta, token_positions):
    places = torch.arange(token_positions.shape[-1], device=token_positions.device)
    return places.to(torch.float64)[..., None] * pair_frequencies(d_k, theta)
