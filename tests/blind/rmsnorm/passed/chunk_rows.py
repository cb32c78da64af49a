"""A right answer of the seventh corpus."""
import torch


def _blocks(rows, size):
    for start in range(0, rows.shape[0], size):
        yield rows[start : start + size]


def rmsnorm(x, weight, eps=1e-5, block=64):
    flat = x.flatten(0, -2) if x.ndim > 1 else x.unsqueeze(0)
    done = []
    for block_rows in _blocks(flat, block):
        b = block_rows.to(torch.float32)
        r = torch.norm(b, dim=1, keepdim=True).pow(2).div(b.size(1)).add(eps)
        done.append((b * r.rsqrt()).to(x.dtype) * weight)
    return torch.cat(done).view(x.shape)
