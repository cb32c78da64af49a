"""Every sequence gets the first one's mask.

Each sequence in the batch has its own mask, as with padding of different lengths; yours all get the one at index 0.
"""


def make_room_for_heads(mask):
    return mask if mask.dim() == 2 else mask[0]
