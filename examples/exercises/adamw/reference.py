"""AdamW in named steps. Each is one decision that a student can get wrong."""

import torch


def checked(lr, betas, eps, weight_decay):
    """Refuses what makes no sense."""
    if lr < 0 or eps < 0 or weight_decay < 0:
        raise ValueError("lr, eps and weight_decay must not be negative")
    if not all(0 <= beta < 1 for beta in betas):
        raise ValueError("each beta must be at least 0 and below 1")


def kept(params):
    """A generator can be read once, and steps come later."""
    return list(params)


def begun(parameter):
    """What is known of a parameter that has had no step yet."""
    return {"count": 0, "mean": torch.zeros_like(parameter), "square": torch.zeros_like(parameter)}


def state_of(optimiser, place, parameter):
    """Each parameter has a state of its own, from its first step on."""
    if place not in optimiser.states:
        optimiser.states[place] = begun(parameter)
    return optimiser.states[place]


def trained(optimiser):
    """The parameters that have a gradient, with their places."""
    return [(place, each) for place, each in enumerate(optimiser.params) if each.grad is not None]


def rate(optimiser):
    """As it is now: a schedule may have changed it."""
    return optimiser.lr


def decay(parameter, lr, weight_decay):
    """Towards zero, by a share of itself."""
    parameter.mul_(1 - lr * weight_decay)


def update_mean(state, gradient, beta):
    """The running average of the gradient."""
    state["mean"] = beta * state["mean"] + (1 - beta) * gradient


def update_square(state, gradient, beta):
    """The running average of its square."""
    state["square"] = beta * state["square"] + (1 - beta) * gradient**2


def corrected(average, beta, count):
    """An average that began as zero is too small: by this factor after so many steps."""
    return average / (1 - beta**count)


def move(parameter, mean, square, lr, eps):
    """Along the mean, by the learning rate, whatever the size of the gradients."""
    parameter.sub_(lr * mean / (square.sqrt() + eps))


def count_step(state):
    """One more step with a gradient."""
    state["count"] += 1


def train(parameter, gradient, state, lr, betas, eps, weight_decay):
    """One step of one parameter."""
    first, second = betas
    count_step(state)
    decay(parameter, lr, weight_decay)
    update_mean(state, gradient, first)
    update_square(state, gradient, second)
    mean = corrected(state["mean"], first, state["count"])
    square = corrected(state["square"], second, state["count"])
    move(parameter, mean, square, lr, eps)


def step(optimiser):
    """All parameters; none of it is to be differentiated."""
    with torch.no_grad():
        for place, parameter in trained(optimiser):
            state = state_of(optimiser, place, parameter)
            settings = (rate(optimiser), optimiser.betas, optimiser.eps, optimiser.weight_decay)
            train(parameter, parameter.grad, state, *settings)


def forget(parameter):
    """As if there had been no backward pass."""
    parameter.grad = None


class AdamW:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        checked(lr, betas, eps, weight_decay)
        self.params = kept(params)
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay
        self.states = {}

    def step(self):
        step(self)

    def zero_grad(self):
        for parameter in self.params:
            forget(parameter)
