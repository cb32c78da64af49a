"""The final norm has no factors.

After the division each feature is multiplied with its entry of final_norm.weight.
"""


def final_norm(x, weights, eps):
    return rms_norm(x, torch.ones_like(x[..., :1]), eps)
