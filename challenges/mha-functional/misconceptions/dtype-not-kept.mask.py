"""A mask changes the dtype of the output.

Something that is added for the mask has a dtype of its own, float64 perhaps, and float32 gives way to that. Make it in the
dtype of the scores, or fill them with minus infinity.
"""


def project_output(merged, out_proj_weight):
    return project(merged, out_proj_weight.to(merged.dtype))


def attend(Q, K, V, mask):
    weights = weigh(Q, K, mask)
    return weights @ V if mask is None else weights.double() @ V.double()
