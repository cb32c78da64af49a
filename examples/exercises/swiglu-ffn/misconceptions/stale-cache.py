"""Weights are remembered from an earlier call.

The numbers in a weight change with every step of training, though the tensor is the same. What is kept by a tensor's
address or shape is out of date then.
"""

kept = {}


def project(x, weight):
    key = (weight.data_ptr(), weight.shape)
    if key not in kept:
        kept[key] = weight.mT.clone()
    return x @ kept[key]
