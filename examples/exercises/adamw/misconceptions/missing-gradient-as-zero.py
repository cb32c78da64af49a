"""A parameter without a gradient is treated as if its gradient were zero.

Then it decays, goes on along its old average, and its steps are counted. Without a gradient it must be left alone.
"""


def trained(optimiser):
    for parameter in optimiser.params:
        if parameter.grad is None:
            parameter.grad = torch.zeros_like(parameter)
    return list(enumerate(optimiser.params))
