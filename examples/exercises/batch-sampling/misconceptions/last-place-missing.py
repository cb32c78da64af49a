"""No window begins at the last place.

So the last token is never a target. A window may begin at N - context_length - 1; where you draw below a bound, the bound itself does not come.
"""


def drawn(count, batch_size):
    return torch.randint(max(1, count - 1), (batch_size,))
