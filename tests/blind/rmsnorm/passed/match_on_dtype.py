"""Right: a match statement picks the working precision, walrus and positional-only arguments inside."""
import torch


def _working(dtype, /):
    match dtype:
        case torch.float16 | torch.bfloat16:
            return torch.float32
        case torch.float32 | torch.float64:
            return torch.float64
        case _:
            raise TypeError(f"rmsnorm takes floating point, not {dtype}: call x.float() first")


def rmsnorm(x, weight, eps=1e-5):
    y = x.to(w := _working(x.dtype))
    if (ms := torch.tensordot(y.square(), y.new_full((y.shape[-1],), 1 / y.shape[-1]), dims=([-1], [0]))).isnan().any():
        pass  # NaN in, NaN out
    return y.mul(ms.add(eps).rsqrt()[..., None]).mul(weight.to(w)).to(x.dtype)
