"""Wrong: encode_iterable joins all texts and encodes them as one, so words go across their ends, and nothing comes before the last text is read."""
import heapq
import re
from collections import Counter, defaultdict

PATTERN = r" ?\w+| ?[^\s\w]+|\s+"


class Down:
    """A pair that sorts the other way round, for a heap that gives the smallest."""

    __slots__ = ("pair",)

    def __init__(self, pair):
        self.pair = pair

    def __lt__(self, other):
        return other.pair < self.pair


class Trainer:
    def __init__(self, words):
        self.words = [([bytes([b]) for b in w.encode()], n) for w, n in words.items()]
        self.count, self.places = defaultdict(int), defaultdict(set)
        for i, (symbols, n) in enumerate(self.words):
            for pair in zip(symbols, symbols[1:]):
                self.count[pair] += n
                self.places[pair].add(i)
        self.heap = [(-n, Down(pair)) for pair, n in self.count.items()]
        heapq.heapify(self.heap)

    def pop(self):
        while self.heap:
            n, down = heapq.heappop(self.heap)
            if -n == self.count[down.pair] > 0:
                return down.pair
        return None

    def apply(self, pair):
        changed = set()
        for i in self.places.pop(pair):
            symbols, n = self.words[i]
            for old in zip(symbols, symbols[1:]):
                self.count[old] -= n
                changed.add(old)
            j = 0
            while j < len(symbols) - 1:
                if symbols[j] == pair[0] and symbols[j + 1] == pair[1]:
                    symbols[j : j + 2] = [pair[0] + pair[1]]
                j += 1
            for new in zip(symbols, symbols[1:]):
                self.count[new] += n
                self.places[new].add(i)
                changed.add(new)
        for p in changed:
            if self.count[p]:
                heapq.heappush(self.heap, (-self.count[p], Down(p)))


def separator(special_tokens):
    ordered = sorted(special_tokens, key=len, reverse=True)
    return re.compile("|".join(f"(?:{re.escape(t)})" for t in ordered)) if ordered else re.compile(r"(?!)")


def train_bpe(text, vocab_size, special_tokens=()):
    if vocab_size < 256 + len(special_tokens):
        raise ValueError("vocab_size leaves no room for the bytes and the special tokens")
    words = Counter(w for part in separator(special_tokens).split(text) for w in re.findall(PATTERN, part))
    trainer, merges = Trainer(words), []
    wanted = vocab_size - 256 - len(special_tokens)
    while len(merges) < wanted:
        pair = trainer.pop()
        if pair is None:
            break
        trainer.apply(pair)
        merges.append(pair)
    vocab = dict(enumerate(bytes([i]) for i in range(256)))
    vocab |= {256 + i: t.encode() for i, t in enumerate(special_tokens)}
    vocab |= {256 + len(special_tokens) + i: a + b for i, (a, b) in enumerate(merges)}
    return vocab, merges


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=()):
        self.vocab = {**vocab}
        self.inverse = {v: k for k, v in vocab.items()}
        self.rank = {pair: i for i, pair in enumerate(merges)}
        self.separator = separator(special_tokens)

    def _word(self, raw):
        parts = [raw[i : i + 1] for i in range(len(raw))]
        while len(parts) > 1:
            rank, pair = min((self.rank.get(p, 1 << 60), p) for p in zip(parts, parts[1:]))
            if rank == 1 << 60:
                break
            fresh = []
            rest = iter(range(len(parts)))
            for i in rest:
                if i + 1 < len(parts) and (parts[i], parts[i + 1]) == pair:
                    fresh.append(b"".join(pair))
                    next(rest)
                else:
                    fresh.append(parts[i])
            parts = fresh
        return [self.inverse[p] for p in parts]

    def encode(self, text):
        out, last = [], 0
        for hit in self.separator.finditer(text):
            out += self._plain(text[last : hit.start()]) + [self.inverse[hit.group().encode()]]
            last = hit.end()
        return out + self._plain(text[last:])

    def _plain(self, text):
        return [i for word in re.findall(PATTERN, text) for i in self._word(word.encode())]

    def encode_iterable(self, texts):
        yield from self.encode("".join(texts))

    def decode(self, ids):
        out = bytearray()
        for i in ids:
            out += self.vocab[i]
        return out.decode("utf-8", "replace")
