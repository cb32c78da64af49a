import torch


def softmax(t, axis):
    """Works on a two-dimensional copy (other axes, axis) and unfolds it again."""
    axis = axis + t.dim() if axis < 0 else axis
    order = [i for i in range(t.dim()) if i != axis] + [axis]
    back = [order.index(i) for i in range(t.dim())]
    p = t.permute(order)
    shape = p.shape
    rows = p.reshape(-1, shape[-1])
    top, _ = torch.max(rows, 1)
    rows = (rows - top[:, None]).exp()
    den = rows @ torch.ones(shape[-1], dtype=rows.dtype, device=rows.device) if rows.dtype in (torch.float32, torch.float64) else rows.sum(1)
    rows = rows / den[:, None]
    return rows.reshape(shape).permute(back)
