"""Positions wrap at {each}.

They are stored in so few bits that large ones do not fit. max_seq_len says how far positions go: keep them int64 until
you multiply them by the frequencies.
"""

EACH = {"128": "int8", "256": "uint8"}


def pair_angles(d_k, theta, token_positions):
    return token_positions.to(getattr(torch, each)).to(torch.float64)[..., None] * pair_frequencies(d_k, theta)
