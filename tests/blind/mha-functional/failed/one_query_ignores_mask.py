"""Wrong: 只有一个查询时当作解码，掩码被忽略 (a single query ignores its mask)."""
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0, "头数必须整除 d_model"
    头宽 = d_model // num_heads
    权重 = in_proj_weight.reshape(3, num_heads, 头宽, d_model)
    # n=批, q/k=词, h=头, e=头宽, d=d_model
    查询, 键, 值 = (torch.einsum("nld,hed->nhle", x, w) for x, w in zip((q, k, v), 权重.unbind(0)))
    得分 = torch.einsum("nhqe,nhke->nhqk", 查询, 键) / 头宽**0.5
    if mask is not None and q.shape[1] > 1:
        # 1 表示看不见；所有头共用一个掩码
        看不见 = mask.to(torch.bool).expand(q.shape[0], q.shape[1], k.shape[1])[:, None]
        得分 = 得分.masked_fill(看不见, -torch.inf)
    注意力 = torch.softmax(得分, -1)
    上下文 = torch.einsum("...qk,...ke->...qe", 注意力, 值)
    输出权重 = out_proj_weight.reshape(d_model, num_heads, 头宽)
    return torch.einsum("nhqe,ohe->nqo", 上下文, 输出权重)
