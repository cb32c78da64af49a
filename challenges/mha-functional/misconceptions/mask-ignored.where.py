"""The mask is ignored {each}.

There the output is the same as without a mask. A mask means the same for every size and dtype: the scores of hidden keys
become minus infinity before the softmax.
"""

EACH = {
    "where it holds numbers": lambda scores, mask: mask.dtype != torch.bool,
    "where it is boolean": lambda scores, mask: mask.dtype == torch.bool,
    "where there is one query": lambda scores, mask: scores.shape[-2] == 1,
    "where it has one row for all queries": lambda scores, mask: mask.shape[-2] == 1 < scores.shape[-2],
    "where it has two axes": lambda scores, mask: mask.dim() == 2,
    "under no_grad": lambda scores, mask: not torch.is_grad_enabled(),
    "under inference_mode": lambda scores, mask: torch.is_inference_mode_enabled(),
    "where it has the shape of a whole batch": lambda scores, mask: mask.dim() == 3 and mask.shape[0] > 1,
}


def hide(scores, mask):
    if mask is None or each(scores, mask):
        return scores
    return scores.masked_fill(make_room_for_heads(read_mask(mask)), -math.inf)
