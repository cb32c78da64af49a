"""Early places come more often than late ones.

Each place should be as likely as any other: draw whole numbers from a uniform distribution.
"""


def drawn(count, batch_size):
    return (torch.rand(batch_size) ** 2 * count).long()
