"""The weight decay takes the same amount off every number.

It should be a share of the parameter, so that large numbers lose more than small ones; what you take off is the decay of the absolute value.
"""


def decay(parameter, lr, weight_decay):
    parameter.sub_(lr * weight_decay * parameter.sign())
