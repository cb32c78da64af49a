"""The first and the last place come too seldom.

That is what rounding does: only half as wide a range of numbers is nearest to an end. Draw whole numbers, or round down.
"""


def drawn(count, batch_size):
    return (torch.rand(batch_size) * (count - 1)).round().long()
