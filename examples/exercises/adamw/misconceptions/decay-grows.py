"""The weight decay makes parameters larger.

It is added where it should be taken off: with gradients of zero, the parameters grow from step to step. Check the sign.
"""


def decay(parameter, lr, weight_decay):
    parameter.mul_(1 + lr * weight_decay)
