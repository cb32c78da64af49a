"""Numbers of a mask are turned round with ~.

~ exchanges True and False, but makes -1 of 0 and -2 of 1, which both count as true: nothing is hidden. Compare with 0 instead.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    if mask.is_floating_point():
        mask = mask.bool()
    return torch.where((~make_room_for_heads(mask)).bool(), scores, -math.inf)
