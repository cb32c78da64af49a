"""eps does not reach the final norm.

It keeps its own 1e-5. Hand the caller's eps on to it as well.
"""


def final_norm(x, weights, eps):
    return rms_norm(x, weights["final_norm.weight"], 1e-5)
