"""NumPy arrays of numbers."""

import re

import numpy as np


def pieces(text, special_tokens):
    if not special_tokens:
        return [text]
    return re.split("(" + "|".join(re.escape(t) for t in sorted(special_tokens, key=len, reverse=True)) + ")", text)


def arrays_of(piece):
    return [np.frombuffer(w.encode(), np.uint8).astype(np.int64) for w in re.findall(r" ?\w+| ?[^\s\w]+|\s+", piece)]


def merge(array, first, second, new):
    places = np.flatnonzero((array[:-1] == first) & (array[1:] == second))
    if not len(places):
        return array
    kept = []
    for place in places.tolist():
        if not kept or place > kept[-1] + 1:
            kept.append(place)
    changed = array.copy()
    changed[kept] = new
    return np.delete(changed, [place + 1 for place in kept])


def train_bpe(text, vocab_size, special_tokens=()):
    tokens = [bytes([i]) for i in range(256)] + [t.encode() for t in special_tokens]
    if vocab_size < len(tokens):
        raise ValueError("vocab_size must have room for bytes and special tokens")
    words = [a for piece in pieces(text, special_tokens) if piece not in special_tokens for a in arrays_of(piece)]
    merges = []
    while len(tokens) < vocab_size:
        pairs = [np.stack([a[:-1], a[1:]], axis=1) for a in words if len(a) > 1]
        if not pairs:
            break
        found, counts = np.unique(np.concatenate(pairs), axis=0, return_counts=True)
        most = found[counts == counts.max()].tolist()
        first, second = max(most, key=lambda pair: (tokens[pair[0]], tokens[pair[1]]))
        merges.append((tokens[first], tokens[second]))
        tokens.append(tokens[first] + tokens[second])
        words = [merge(a, first, second, len(tokens) - 1) for a in words]
    return dict(enumerate(tokens)), merges


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=()):
        self.vocab = vocab
        self.id = {token: number for number, token in vocab.items()}
        self.rules = [(self.id[a], self.id[b], self.id[a + b]) for a, b in merges]
        self.byte = np.array([self.id[bytes([i])] for i in range(256)])
        self.special_tokens = special_tokens

    def encode(self, text):
        ids = []
        for piece in pieces(text, self.special_tokens):
            if piece in self.special_tokens:
                ids.append(self.id[piece.encode()])
                continue
            for array in arrays_of(piece):
                array = self.byte[array]
                for rule in self.rules:
                    array = merge(array, *rule)
                ids.extend(array.tolist())
        return ids

    def encode_iterable(self, texts):
        for text in texts:
            yield from self.encode(text)

    def decode(self, ids):
        return b"".join(self.vocab[i] for i in ids).decode("utf-8", errors="replace")
