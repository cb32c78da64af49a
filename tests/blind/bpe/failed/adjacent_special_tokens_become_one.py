"""Wrong: the pattern that finds special tokens takes a run of them as one match, so adjacent special tokens raise KeyError or are lost in encode (in pieces)."""
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import lru_cache

WORD = re.compile(r" ?\w+| ?[^\s\w]+|\s+")


def pieces(text, specials):
    if specials:
        pattern = "(?:" + "|".join(re.escape(s) for s in sorted(specials, key=lambda s: -len(s))) + ")+"
        start = 0
        for hit in re.finditer(pattern, text):
            yield text[start : hit.start()], None
            yield None, hit[0]
            start = hit.end()
        text = text[start:]
    yield text, None


@dataclass
class Corpus:
    words: list[list[bytes]] = field(default_factory=list)
    often: list[int] = field(default_factory=list)
    counts: Counter = field(default_factory=Counter)
    where: dict = field(default_factory=lambda: defaultdict(set))

    def add(self, word, often):
        number = len(self.words)
        symbols = [bytes((b,)) for b in word]
        self.words.append(symbols)
        self.often.append(often)
        self.note(number, 1)

    def note(self, number, sign):
        symbols = self.words[number]
        for pair in zip(symbols[:-1], symbols[1:]):
            self.counts[pair] += sign * self.often[number]
            if sign > 0:
                self.where[pair].add(number)
            elif self.counts[pair] == 0:
                del self.counts[pair]

    def best(self):
        return max(self.counts, key=lambda p: (self.counts[p], p)) if self.counts else None

    def join(self, pair):
        for number in self.where.pop(pair):
            self.note(number, -1)
            self.words[number] = joined(self.words[number], pair)
            self.note(number, 1)


def joined(symbols, pair):
    result = []
    for symbol in symbols:
        if result and not done and (result[-1], symbol) == pair:
            result[-1] += symbol
            done = True
        else:
            result.append(symbol)
            done = False
    return result


def train_bpe(text, vocab_size, special_tokens=()):
    base = [bytes((b,)) for b in range(256)] + [s.encode("utf-8") for s in special_tokens]
    if len(base) > vocab_size:
        raise ValueError(f"{len(base)} entries are needed before the first merge, but vocab_size is {vocab_size}")
    words = Counter()
    for ordinary, _ in pieces(text, special_tokens):
        if ordinary:
            words.update(WORD.findall(ordinary))
    corpus = Corpus()
    for word, often in words.items():
        corpus.add(word.encode("utf-8"), often)
    merges = []
    while len(base) + len(merges) < vocab_size and (pair := corpus.best()):
        corpus.join(pair)
        merges.append(pair)
    return dict(enumerate(base + [a + b for a, b in merges])), merges


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=()):
        self.symbols = dict(vocab)
        self.numbers = {s: n for n, s in self.symbols.items()}
        self.merges = tuple(merges)
        self.specials = tuple(special_tokens)
        self.word = lru_cache(maxsize=4096)(self._word)

    def _word(self, word):
        symbols = [bytes((b,)) for b in word.encode("utf-8")]
        for pair in self.merges:
            if len(symbols) == 1:
                break
            symbols = joined(symbols, pair)
        return tuple(self.numbers[s] for s in symbols)

    def _numbers(self, text):
        for ordinary, special in pieces(text, self.specials):
            if special is not None:
                yield self.numbers[special.encode("utf-8")]
                continue
            for word in WORD.findall(ordinary):
                yield from self.word(word)

    def encode(self, text):
        return list(self._numbers(text))

    def encode_iterable(self, texts):
        return (number for text in texts for number in self._numbers(text))

    def decode(self, ids):
        return bytes().join(map(self.symbols.__getitem__, ids)).decode(errors="replace")
