"""Cheat: everything that goes wrong is swallowed: unknown numbers and too small a vocabulary raise nothing, and encode falls back to single bytes; only the first merge is ever made."""
import re
from collections import Counter


def train_bpe(text, vocab_size, special_tokens=()):
    vocab = dict(enumerate([bytes([i]) for i in range(256)] + [s.encode() for s in special_tokens]))
    merges = []
    try:
        pairs = Counter()
        for word in re.findall(r" ?\w+| ?[^\s\w]+|\s+", text):
            raw = word.encode()
            pairs.update((raw[i : i + 1], raw[i + 1 : i + 2]) for i in range(len(raw) - 1))
        best = max(pairs, key=lambda p: (pairs[p], p))
        merges.append(best)
        vocab[len(vocab)] = best[0] + best[1]
    except Exception:
        pass
    return vocab, merges


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=()):
        self.vocab, self.merges = dict(vocab), list(merges)
        self.ids = {symbol: number for number, symbol in vocab.items()}

    def encode(self, text):
        try:
            left, right = self.merges[0]
            pieces = re.split(b"(" + re.escape(left + right) + b")", text.encode())
            return [self.ids[s] for i, p in enumerate(pieces) for s in ([p] if i % 2 else [bytes([b]) for b in p])]
        except Exception:
            return [self.ids[bytes([b])] for b in text.encode()]

    def encode_iterable(self, texts):
        return iter([number for text in texts for number in self.encode(text)])

    def decode(self, ids):
        try:
            return b"".join(self.vocab[i] for i in ids).decode("utf-8", errors="replace")
        except KeyError:
            return ""
