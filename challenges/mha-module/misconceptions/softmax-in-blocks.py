"""A running softmax over blocks of keys corrects {each}.

When a later block has a higher score, everything summed so far is relative to the old maximum. Multiply both the sum of
the exponentials and the sum of the values by exp(old maximum - new maximum).
"""

EACH = {
    "nothing, in blocks of 4": (4, False, False),
    "nothing, in blocks of 8": (8, False, False),
    "nothing, in blocks of 16": (16, False, False),
    "nothing, in blocks of 32": (32, False, False),
    "nothing, in blocks of 64": (64, False, False),
    "the sum but not the values, in blocks of 4": (4, True, False),
    "the sum but not the values, in blocks of 16": (16, True, False),
    "the sum but not the values, in blocks of 64": (64, True, False),
    "the values but not the sum, in blocks of 4": (4, False, True),
    "the values but not the sum, in blocks of 16": (16, False, True),
    "the values but not the sum, in blocks of 64": (64, False, True),
}


def attend(layer, queries, keys, values):
    size, corrects_total, corrects_values = each
    scores = scale(compare_tokens(queries, keys), layer)
    scores = hide(scores, own_mask(layer, scores.shape[-1]))
    top = torch.full_like(scores[..., :1], -math.inf)
    total, weighed = torch.zeros_like(top), torch.zeros_like(queries)
    for start in range(0, keys.shape[-2], size):
        block = scores[..., start : start + size]
        last, top = top, torch.maximum(top, block.detach().amax(dim=-1, keepdim=True))
        powers, correction = torch.exp(block - top), torch.exp(last - top)
        total = total * (correction if corrects_total else 1) + powers.sum(dim=-1, keepdim=True)
        weighed = (
            weighed * (correction if corrects_values else 1)
            + drop(powers, layer) @ values[..., start : start + size, :]
        )
    return weighed / total
