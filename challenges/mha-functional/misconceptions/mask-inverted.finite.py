"""The mask is inverted.

In this exercise 1 or True hides a key from a query, as in nn.MultiheadAttention. (The library's
scaled_dot_product_attention reads a boolean mask the other way.) Your code hides what should be seen, and sees what
should be hidden.
"""


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(make_room_for_heads(mask == 0), -1e9)
