"""One expression with Greek names, and asserts that try the example of the specification."""

import torch

rmsnorm = lambda ξ, ω, ε=1e-5: (lambda χ: (χ / (χ.pow(2).mean(-1, True) + ε) ** 0.5 * ω).to(ξ.dtype))(ξ.to(torch.promote_types(ξ.dtype, torch.float)))

assert rmsnorm(torch.tensor([3.0, 4.0]), torch.tensor([1.0, 2.0]), 0).sub(torch.tensor([0.8485, 2.2627])).abs().max() < 1e-3
