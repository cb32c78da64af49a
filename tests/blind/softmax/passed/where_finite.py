import torch


def softmax(x, dim):
    """Works out the shares of the finite entries; the others are zero by definition."""
    dtype = x.dtype
    y = x.to(torch.promote_types(dtype, torch.float32))
    finite = torch.isfinite(y)
    y = torch.where(finite, y, torch.zeros_like(y))
    top = torch.where(finite, y.detach(), torch.full_like(y, -torch.inf)).max(dim, keepdim=True)[0]
    e = torch.where(finite, torch.exp(torch.where(finite, y - top, torch.zeros_like(y))), torch.zeros_like(y))
    return torch.div(e, torch.sum(e, dim=dim, keepdim=True)).to(dtype)
