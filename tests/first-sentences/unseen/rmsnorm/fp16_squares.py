# Says: `x * x` is computed in the dtype of `x`, and in float16 the square of 300 is already infinite: convert with `x.float()` before you square.
# Line: 6
# Names: x * x, float16, .float()
# Kind: wrong idea
def rmsnorm(x, weight, eps=1e-5):
    ms = (x * x).mean(dim=-1, keepdim=True)
    return x / (ms + eps) ** 0.5 * weight
