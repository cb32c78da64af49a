"""The mask is repeated for the heads in the wrong order.

Repeating the whole batch of masks, once for each head, puts the masks of all sequences one after the other. Read as (N,
heads, ...), a sequence then gets other sequences' masks. Keep the copies of each mask together (repeat_interleave), or
broadcast it.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    mask = read_mask(mask).expand(scores.shape[0], *scores.shape[-2:])
    return scores.masked_fill(mask.repeat(scores.shape[1], 1, 1).reshape(scores.shape), -math.inf)
