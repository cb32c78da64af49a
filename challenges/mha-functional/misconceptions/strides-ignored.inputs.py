"""The inputs are read as if they were contiguous.

A transposed or expanded tensor is not stored in memory in the order of its axes. `as_strided`, `data_ptr` and the
untyped storage expose that memory order: read a tensor through its axes.
"""


def project_inputs(q, k, v, in_proj_weight):
    read = [x.as_strided(x.shape, torch.empty(x.shape, device="meta").stride()) for x in (q, k, v)]
    return tuple(project(x, weight) for x, weight in zip(read, split_in_proj(in_proj_weight), strict=True))
