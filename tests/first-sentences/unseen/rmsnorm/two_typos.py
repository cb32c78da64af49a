# Says: The variable is called `weight`, but you wrote `weigth` in `return normed * weigth`; `eps` is also never used, it belongs under the root.
# Line: 10
# Names: weigth, weight
# Kind: crash
import torch

def rmsnorm(x, weight, eps=1e-5):
    rms = x.float().pow(2).mean(dim=-1, keepdim=True) ** 0.5
    normed = x.float() / rms
    return normed * weigth
