"""A right BPE: words with their counts, all pairs counted anew before each merge; encoding looks for the lowest rank again and again."""
import re
from collections import Counter

PATTERN = re.compile(r" ?\w+| ?[^\s\w]+|\s+")


def cut(text, special_tokens):
    """Texts and special tokens in turn; texts are at even places."""
    if not special_tokens:
        return [text]
    longest_first = sorted(special_tokens, key=len, reverse=True)
    return re.split("(" + "|".join(map(re.escape, longest_first)) + ")", text)


def merge(symbols, pair):
    out, i = [], 0
    while i < len(symbols):
        if tuple(symbols[i : i + 2]) == pair:
            out.append(pair[0] + pair[1])
            i += 2
        else:
            out.append(symbols[i])
            i += 1
    return tuple(out)


def as_bytes(word):
    return tuple(bytes([b]) for b in word.encode())


def train_bpe(text, vocab_size, special_tokens=()):
    vocab = {i: bytes([i]) for i in range(256)}
    for token in special_tokens:
        vocab[len(vocab)] = token.encode()
    if vocab_size < len(vocab):
        raise ValueError(f"vocab_size must be at least {len(vocab)}")
    words = Counter()
    for part in cut(text, special_tokens)[::2]:
        words.update(as_bytes(word) for word in PATTERN.findall(part))
    merges = []
    while len(vocab) < vocab_size:
        pairs = Counter()
        for symbols, count in words.items():
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] += count
        if not pairs:
            break
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        vocab[len(vocab)] = best[0] + best[1]
        merged = Counter()
        for symbols, count in words.items():
            merged[merge(symbols, best)] += count
        words = merged
    return vocab, merges


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=()):
        self.vocab = dict(vocab)
        self.ids = {symbol: number for number, symbol in vocab.items()}
        self.ranks = {pair: rank for rank, pair in enumerate(merges)}
        self.special_tokens = list(special_tokens)

    def encode(self, text):
        ids = []
        for place, part in enumerate(cut(text, self.special_tokens)):
            if place % 2:
                ids.append(self.ids[part.encode()])
            else:
                for word in PATTERN.findall(part):
                    ids.extend(self.ids[s] for s in self.symbols(word))
        return ids

    def symbols(self, word):
        symbols = as_bytes(word)
        while True:
            known = [p for p in zip(symbols, symbols[1:]) if p in self.ranks]
            if not known:
                return symbols
            symbols = merge(symbols, min(known, key=self.ranks.get))

    def encode_iterable(self, texts):
        for text in texts:
            yield from self.encode(text)

    def decode(self, ids):
        return b"".join(self.vocab[i] for i in ids).decode("utf-8", errors="replace")
