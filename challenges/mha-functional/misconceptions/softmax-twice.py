"""The softmax is applied twice.

The first one already gives weights between 0 and 1. A softmax of those is nearly flat, and gives hidden keys some
weight again. Look for a second softmax just before the weights are applied to the values.
"""


def weigh(Q, K, mask):
    return softmax(softmax(hide(scale(Q @ K.mT, Q.shape[-1]), mask)))
