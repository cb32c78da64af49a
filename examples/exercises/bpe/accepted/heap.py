"""A heap of merges for each word."""

import heapq
import re
from collections import Counter

PRETOKENS = re.compile(r" ?\w+| ?[^\s\w]+|\s+")


class Descending:
    """Pairs in the order in which they are to be taken."""

    __slots__ = ("pair",)

    def __init__(self, pair):
        self.pair = pair

    def __lt__(self, other):
        return self.pair > other.pair


def chunks(text, special_tokens):
    if not len(special_tokens):
        return [text], []
    regex = re.compile("|".join(re.escape(s) for s in sorted(special_tokens, key=len, reverse=True)))
    return regex.split(text), regex.findall(text)


def train_bpe(text, vocab_size, special_tokens=()):
    vocab = {i: bytes([i]) for i in range(256)}
    vocab.update({256 + i: s.encode("utf-8") for i, s in enumerate(special_tokens)})
    if len(vocab) > vocab_size:
        raise ValueError("vocab_size < 256 + special tokens")
    texts, _ = chunks(text, special_tokens)
    counts = Counter(pretoken for t in texts for pretoken in PRETOKENS.findall(t))
    sequences = [(tuple(bytes([b]) for b in k.encode()), n) for k, n in counts.items()]
    merges = []
    while len(vocab) < vocab_size:
        stats = Counter()
        for seq, n in sequences:
            for x, y in zip(seq, seq[1:]):
                stats[(x, y)] += n
        heap = [(-n, Descending(pair)) for pair, n in stats.items()]
        if not heap:
            break
        heapq.heapify(heap)
        pair = heapq.heappop(heap)[1].pair
        merges.append(pair)
        vocab[len(vocab)] = b"".join(pair)
        sequences = [(apply(seq, pair), n) for seq, n in sequences]
    return vocab, merges


def apply(seq, pair):
    if pair[0] not in seq:
        return seq
    out, skip = [], False
    for i, symbol in enumerate(seq):
        if skip:
            skip = False
        elif seq[i : i + 2] == pair:
            out.append(symbol + seq[i + 1])
            skip = True
        else:
            out.append(symbol)
    return tuple(out)


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=()):
        self.vocab = vocab
        self.lookup = {v: k for k, v in vocab.items()}
        self.order = {pair: i for i, pair in enumerate(merges)}
        self.special_tokens = special_tokens

    def encode(self, text):
        texts, between = chunks(text, self.special_tokens)
        out = []
        for i, t in enumerate(texts):
            for pretoken in PRETOKENS.findall(t):
                out.extend(self.lookup[x] for x in self.bpe(pretoken))
            if i < len(between):
                out.append(self.lookup[between[i].encode("utf-8")])
        return out

    def bpe(self, pretoken):
        seq = tuple(bytes([b]) for b in pretoken.encode())
        while True:
            heap = [(self.order[pair], i) for i, pair in enumerate(zip(seq, seq[1:])) if pair in self.order]
            if not heap:
                return seq
            _, i = min(heap)
            seq = apply(seq, (seq[i], seq[i + 1]))

    def encode_iterable(self, texts):
        for t in texts:
            yield from iter(self.encode(t))

    def decode(self, ids):
        return b"".join([self.vocab[i] for i in ids]).decode("utf8", "replace")
