"""A mask of numbers is inverted with ~.

~ swaps True and False, but it turns 0 into -1 and 1 into -2, which both count as true, so nothing is hidden. Compare
with 0 instead.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    if mask.is_floating_point():
        mask = mask.bool()
    return torch.where((~make_room_for_heads(mask)).bool(), scores, -math.inf)
