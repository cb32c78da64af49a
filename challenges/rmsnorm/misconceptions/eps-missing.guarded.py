"""eps is not used.

Your code keeps the division from failing at zero with a tiny number of its own. Near zero the result is to shrink as eps says:
add it under the root.
"""


def root(mean, eps):
    return torch.sqrt(mean).clamp(min=1e-30)
