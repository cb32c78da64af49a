"""A mask changes the dtype of the output.

Something that you add for the mask has its own dtype, perhaps float64, and the result is promoted to it. Create it in
the dtype of the scores, or fill the scores with minus infinity.
"""


def project_output(merged, out_proj_weight):
    return project(merged, out_proj_weight.to(merged.dtype))


def attend(Q, K, V, mask):
    weights = weigh(Q, K, mask)
    return weights @ V if mask is None else weights.double() @ V.double()
