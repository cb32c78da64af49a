"""Wrong: x is divided by the mean square, the root is missing."""
import torch

wide = lambda t: t if t.dtype == torch.float64 else t.float()
ms = lambda t: torch.linalg.vecdot(t, t).unsqueeze(-1) / t.size(-1)
inv = lambda t, e: 1.0 / (ms(t) + e)
rmsnorm = lambda x, weight, eps=1e-5: torch.mul(torch.mul(wide(x), inv(wide(x), eps)), wide(weight)).to(dtype=x.dtype, device=x.device)  # noqa: E501, E731  normalise in at least single precision, apply the gain there too, then round once to the dtype that came in
