"""The new values go into a new tensor.

The model holds the tensor that was passed in, and sees nothing of a new one. Change the parameter itself.
"""


def step(optimiser):
    with torch.no_grad():
        for place, parameter in trained(optimiser):
            state = state_of(optimiser, place, parameter)
            settings = (rate(optimiser), optimiser.betas, optimiser.eps, optimiser.weight_decay)
            new = parameter.clone()
            train(new, parameter.grad, state, *settings)
            new.grad = parameter.grad
            optimiser.params[place] = new
