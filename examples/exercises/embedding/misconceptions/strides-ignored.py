"""token_ids are read as if they were contiguous.

A transposed or expanded tensor is not stored in memory in the order of its axes. `as_strided`, `data_ptr` and the
untyped storage show that order.
"""


def looked_up(weight, token_ids):
    strides = torch.empty(token_ids.shape, device="meta").stride()
    return weight[torch.as_strided(token_ids, token_ids.shape, strides)]
