"""Every query gets the first one's mask.

A mask says separately for each query what it may see. Your code uses the first query's row for all of them, which is
only right for padding.
"""


def make_room_for_heads(mask):
    return mask[:1] if mask.dim() == 2 else mask[:, :1].unsqueeze(1)
