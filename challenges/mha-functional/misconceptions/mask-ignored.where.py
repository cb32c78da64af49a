"""The mask is ignored {each}.

In that case the output is the same as without a mask. A mask means the same for every size and dtype: set the scores of
hidden keys to minus infinity before the softmax.
"""

EACH = {
    "where it holds numbers": "numbers",
    "where it is boolean": "boolean",
    "where there is one query": "one query",
    "where it has one row for all queries": "one row",
    "where it has two axes": "two axes",
    "where each sequence has its own": "batch",
    "under no_grad": "no_grad",
    "under inference_mode": "inference_mode",
}


def is_ignored(scores, mask):
    return {
        "numbers": mask.dtype != torch.bool,
        "boolean": mask.dtype == torch.bool,
        "one query": scores.shape[-2] == 1,
        "one row": mask.shape[-2] == 1 < scores.shape[-2],
        "two axes": mask.dim() == 2,
        "batch": mask.dim() == 3 and mask.shape[0] > 1,
        "no_grad": not torch.is_grad_enabled(),
        "inference_mode": torch.is_inference_mode_enabled(),
    }[each]


def hide(scores, mask):
    if mask is None or is_ignored(scores, mask):
        return scores
    return scores.masked_fill(make_room_for_heads(read_mask(mask)), -math.inf)
