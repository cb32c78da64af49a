"""A running sum is not scaled anew when a larger logit turns up.

Exponentials that were taken below an earlier maximum are too large by then. Multiply the sum so far by exp(old
maximum - new maximum).
"""


def log_sum(shifted):
    first, *rest = shifted.split(256, dim=-1)
    top = first.amax(dim=-1, keepdim=True)
    total = torch.exp(first - top).sum(dim=-1)
    for piece in rest:
        top = torch.maximum(top, piece.amax(dim=-1, keepdim=True))
        total = total + torch.exp(piece - top).sum(dim=-1)
    return torch.log(total) + top.squeeze(-1)
