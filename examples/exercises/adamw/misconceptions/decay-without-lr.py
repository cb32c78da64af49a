"""The weight decay is not multiplied by the learning rate.

With a schedule that lowers the learning rate, the decay would stay as strong as ever. Which factor does the formula have besides weight_decay?
"""


def decay(parameter, lr, weight_decay):
    parameter.mul_(1 - weight_decay)
