"""The scores are scaled by d_model.

A score is a sum over the d_head features of one head, so divide by sqrt(d_head); d_model is num_heads times larger.
"""


def attend(Q, K, V):
    scores = compare(Q, K) / math.sqrt(Q.shape[-1] * Q.shape[-3])
    return gather(softmax(hide(scores, up_to_itself(Q.shape[-2]))), V)
