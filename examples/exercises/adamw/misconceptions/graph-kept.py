"""The step is recorded for the backward pass.

Changing a parameter in place is then an error, for it requires a gradient. Put the step under `torch.no_grad()`.
"""


def step(optimiser):
    for place, parameter in trained(optimiser):
        state = state_of(optimiser, place, parameter)
        settings = (rate(optimiser), optimiser.betas, optimiser.eps, optimiser.weight_decay)
        train(parameter, parameter.grad, state, *settings)
