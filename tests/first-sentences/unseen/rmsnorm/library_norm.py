# Says: `F.rms_norm(x, ...)` is the library's own RMSNorm, which the exercise does not allow: compute the root mean square yourself.
# Line: 8
# Names: F.rms_norm
# Kind: refused
import torch.nn.functional as F

def rmsnorm(x, weight, eps=1e-5):
    return F.rms_norm(x.float(), (x.shape[-1],), weight.float(), eps).to(x.dtype)
