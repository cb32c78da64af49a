"""Multi-head attention whose softmax is an autograd.Function with its own backward (注释为中文).

Wrong: when k and v are one tensor the values are projected from a detached copy, so the gradient of v's path is lost.
Condition: k and v are one tensor and its gradient is asked for.
Spec: "gradients of `q`, `k`, `v` and of both weights, whichever are asked for"
"""
import torch


class MaskedSoftmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores, hidden):
        # 被遮住的键先设为负无穷，再减去最大值
        if hidden is not None:
            scores = scores.masked_fill(hidden, float("-inf"))
        e = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
        p = e / e.sum(dim=-1, keepdim=True)
        ctx.save_for_backward(p)
        return p

    @staticmethod
    def backward(ctx, grad):
        # softmax 的梯度：p * (g - <p, g>)
        (p,) = ctx.saved_tensors
        return p * (grad - (p * grad).sum(dim=-1, keepdim=True)), None


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0, "d_model 必须能被 num_heads 整除"
    d_head = d_model // num_heads
    batch, len_q, len_k = q.shape[0], q.shape[1], k.shape[1]
    W = in_proj_weight.reshape(3, d_model, d_model)
    # 投影并拆成多个头
    query = (q @ W[0].T).reshape(batch, len_q, num_heads, d_head).transpose(1, 2)
    key = (k @ W[1].T).reshape(batch, len_k, num_heads, d_head).transpose(1, 2)
    value = ((v.detach() if v is k else v) @ W[2].T).reshape(batch, len_k, num_heads, d_head).transpose(1, 2)
    scores = query @ key.transpose(-1, -2) / d_head**0.5
    hidden = None
    if mask is not None:
        hidden = (mask == 1).expand(batch, len_q, len_k).unsqueeze(1)
    weights = MaskedSoftmax.apply(scores, hidden)
    # 合并所有的头
    merged = (weights @ value).transpose(1, 2).reshape(batch, len_q, d_model)
    return merged @ out_proj_weight.T
