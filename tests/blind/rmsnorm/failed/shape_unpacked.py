"""Assumes exactly three axes (batch, tokens, features); other numbers of leading axes raise an error."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    batch, tokens, d_model = x.shape
    h = x.float().reshape(batch * tokens, d_model)
    ms = (h**2).sum(dim=1) / d_model
    h = h / torch.sqrt(ms + eps)[:, None]
    return (h * weight).reshape(batch, tokens, d_model).to(x.dtype)
