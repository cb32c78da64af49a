"""A right schedule without branches between warm-up and cosine: both are clamped and the right one is chosen by arithmetic on truth values."""
import math


def learning_rate(s, hi, lo, w, c):
    up = min(s / max(w, 1), 1.0)
    along = min(max((s - w) / max(c - w, 1), 0.0), 1.0)
    wave = lo + (hi - lo) * (1 + math.cos(math.pi * along)) / 2
    return float((s < w) * hi * up + (w <= s < c) * wave + (s >= w and s >= c) * lo)
