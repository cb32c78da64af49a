"""Moves the axis to the end, works on rows, and moves it back."""

import torch


def of_rows(rows):
    tops, _ = rows.max(dim=1)
    e = torch.exp(rows - tops[:, None])
    return e / e.sum(dim=1)[:, None]


def softmax(x, dim):
    moved = x.movedim(dim, -1)
    rows = moved.reshape(-1, moved.shape[-1])
    return of_rows(rows).reshape(moved.shape).movedim(-1, dim)
