"""The optimiser goes on from a copy of its own.

Whoever loads a checkpoint changes the parameter, and the next step undoes that. Begin it with what the parameter holds.
"""


def step(optimiser):
    with torch.no_grad():
        for place, parameter in trained(optimiser):
            state = state_of(optimiser, place, parameter)
            settings = (rate(optimiser), optimiser.betas, optimiser.eps, optimiser.weight_decay)
            own = state.setdefault("own", parameter.clone())
            train(own, parameter.grad, state, *settings)
            parameter.copy_(own)
