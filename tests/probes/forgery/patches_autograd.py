"""Replaces what takes gradients by something that returns what it is given.
Expect: failed|error
"""
# layer: judge

torch.autograd.grad = lambda output, inputs, upstream=None, **more: tuple(torch.ones_like(x) for x in inputs)
