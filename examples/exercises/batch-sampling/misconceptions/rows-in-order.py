"""The rows follow one another.

One place is drawn, and each row begins one further on than the row before. Rows of a batch should have nothing to do with one another: draw a place for each.
"""


def drawn(count, batch_size):
    return (torch.randint(count, (1,)) + torch.arange(batch_size)) % count
