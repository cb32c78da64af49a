"""Sums by einsum, over an axis that was put in front."""

import torch


def softmax(tensor, dim):
    order = [dim % tensor.ndim] + [k for k in range(tensor.ndim) if k != dim % tensor.ndim]
    front = tensor.permute(order)
    power = torch.e ** (front - front.max(0)[0]).to(torch.promote_types(tensor.dtype, torch.float32))
    shares = torch.einsum("i...,...->i...", power, 1 / torch.einsum("i...->...", power))
    back = [order.index(k) for k in range(tensor.ndim)]
    return shares.permute(back).to(tensor.dtype)
