"""A right embedding with a backward pass of its own, which adds gradients up in float32 or wider with index_add_."""
import torch
from torch import nn


class Lookup(torch.autograd.Function):
    @staticmethod
    def forward(ctx, weight, ids):
        ctx.save_for_backward(ids)
        ctx.size = weight.shape
        return weight.index_select(0, ids.flatten()).unflatten(0, ids.shape) if ids.ndim else weight[ids.item()].clone()

    @staticmethod
    def backward(ctx, grad):
        (ids,) = ctx.saved_tensors
        wide = torch.promote_types(grad.dtype, torch.float32)
        total = torch.zeros(ctx.size, dtype=wide, device=grad.device)
        total.index_add_(0, ids.flatten(), grad.reshape(-1, ctx.size[1]).to(wide))
        return total.to(grad.dtype), None


class Embedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, device=None, dtype=None):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(num_embeddings, embedding_dim, device=device, dtype=dtype))
        with torch.no_grad():
            self.weight.copy_(nn.init.trunc_normal_(torch.empty(num_embeddings, embedding_dim), a=-3, b=3))

    def forward(self, token_ids):
        return Lookup.apply(self.weight, token_ids)
