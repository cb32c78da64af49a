"""The mask has no axis for the heads.

Scores have the shape (batch, heads, seq, seq). Broadcasting aligns shapes from the right, so the batch axis of a mask
(batch, seq, seq) lines up with the heads. That raises an error or, with as many sequences as heads, gives each head a
different sequence's mask. Reshape it to (batch, 1, seq, seq).
"""


def mask_for_heads(mask):
    return mask
