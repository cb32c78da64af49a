"""Only a mask of the full shape is accepted.

A mask may be smaller and broadcast to (N, L_q, L_k): one for all sequences, or one row for all queries. A view to the
full shape rejects those; unsqueeze and expand do not.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    batch, _, queries, keys = scores.shape
    return scores.masked_fill(read_mask(mask).reshape(batch, 1, queries, keys), -math.inf)
