"""The mask has no axis for the heads.

Scores have the shape (batch, heads, seq, seq). Broadcasting lines shapes up from the right, so a mask (batch, seq, seq) meets
the heads: an error, or, with as many sequences as heads, each head gets another sequence's mask. Reshape it to
(batch, 1, seq, seq).
"""


def mask_for_heads(mask):
    return mask
