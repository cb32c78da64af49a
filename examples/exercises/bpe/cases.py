"""The case families of bpe: one generator each. Name = what is probed; docstring = why."""

from collections.abc import Iterator

from grader.authoring import Aspect, Call, Case, Draw, Gives, Script, StructureCall

TRAIN, TOKENIZER = "train_bpe", "Tokenizer"
END = "<|end|>"
LETTERS = "abcdefg"


def _word(draw: Draw, length: int, letters: str = LETTERS) -> str:
    return "".join(draw.choice(letters) for _ in range(length))


def _text(draw: Draw, words: int = 30, letters: str = LETTERS, between: str = " ") -> str:
    """Few different words, some of them often, so that pairs differ in how often they occur."""
    known = [_word(draw, draw.integer(2, 6), letters) for _ in range(8)]
    return between.join(known[min(draw.integer(0, 7), draw.integer(0, 7))] for _ in range(words))


def _training(name: str, title: str, arguments: dict, hint: str = "", **how: object) -> Case:
    call = Call("", TRAIN, arguments, gives=Gives.VALUES)
    return Case(name, title, call, hint=hint, what="result", **how)


def training(draw: Draw) -> Iterator[Case]:
    """The vocabulary and the merges of plain texts."""
    yield _training("example", "the example in the exercise", {"text": "ab ab abc", "vocab_size": 258})
    yield _training("few", "a text of 30 words, 5 merges", {"text": _text(draw), "vocab_size": 261})
    yield _training("more", "a text of 60 words, 25 merges", {"text": _text(draw, 60), "vocab_size": 281})
    again = "In a word such as aaaa the pair counts at every place, and is joined from left to right."
    runs = " ".join("ab"[draw.integer(0, 1)] * draw.integer(2, 9) for _ in range(12))
    yield _training("runs", "words of one letter", {"text": runs, "vocab_size": 264}, again)
    yield _training("odd-run", "a word of five equal letters", {"text": "aaaaa", "vocab_size": 258}, again)
    ends = "Training ends early when no word has a pair left."
    yield _training("all", "more merges than there are pairs", {"text": _text(draw, 4), "vocab_size": 400}, ends)
    yield _training("none", "no merges asked for", {"text": _text(draw, 4), "vocab_size": 256})
    yield _training("empty", "an empty text", {"text": "", "vocab_size": 300}, ends)
    counts = "A word that occurs seven times counts seven times."
    often = " ".join(["abab"] * 9 + [_word(draw, 3, "cd") + str(number) for number in range(12)])
    yield _training("often", "one word much oftener than others", {"text": often, "vocab_size": 262}, counts)


def ties(draw: Draw) -> Iterator[Case]:
    """Every run gives the same merges only where it is settled which pair comes first."""
    hint = "Of equally frequent pairs take the largest: compare the pairs of bytes, not their numbers or their order."
    yield _training("once", "every pair occurs once", {"text": "bd ca", "vocab_size": 260}, hint)
    distinct = " ".join(dict.fromkeys(_word(draw, 2, "abcdefghij") for _ in range(12)))
    yield _training("many", "words that occur once", {"text": distinct, "vocab_size": 270}, hint)
    first, second = draw.choice("mnop"), draw.choice("uvw")
    text = f"{first}x {second}x {first}x {second}x"
    yield _training("same-second", "pairs that differ in the first symbol", {"text": text, "vocab_size": 259}, hint)
    longer = "A longer symbol may be smaller: b'ab' comes before b'b'."
    text = " ".join([_word(draw, 2, "ab") + "abb" + _word(draw, 2, "ab") for _ in range(6)])
    yield _training("longer", "symbols of different lengths", {"text": text, "vocab_size": 272}, longer)


def words(draw: Draw) -> Iterator[Case]:
    """Where a text is cut, and into what."""
    across = "No pair crosses from one word into the next, and the space before a word belongs to it."
    yield _training("spaces", "many spaces", {"text": _text(draw, 20, between="  "), "vocab_size": 275}, across)
    mixed = " ".join(f"{_word(draw, 3, 'ab')}!{_word(draw, 2, 'ab')}?? {draw.integer(10, 99)}" for _ in range(8))
    yield _training("punctuation", "punctuation and numbers", {"text": mixed, "vocab_size": 280}, across)
    lines = _text(draw, 20, between="\n\n")
    yield _training("lines", "lines", {"text": lines, "vocab_size": 275}, across)
    bytes_of = "A letter beyond ASCII is several bytes, and each is a symbol of its own at first."
    for name, letters in (("accents", "äéñab"), ("greek", "αβγδ"), ("signs", "🙂🙃a")):
        text = _text(draw, 20, letters)
        yield _training(name, f"letters beyond ASCII: {letters}", {"text": text, "vocab_size": 276}, bytes_of)
    short = " ".join("abcdefgh")
    yield _training(
        "joined", "single letters, each with a space before", {"text": short * 3, "vocab_size": 270}, across
    )


def special(draw: Draw) -> Iterator[Case]:
    """What stands between texts is no text."""
    cut = "The text is cut at special tokens: they are not trained on, and nothing is joined across them."
    parts = [_text(draw, 8) for _ in range(4)]
    arguments = {"text": END.join(parts), "vocab_size": 272, "special_tokens": [END]}
    yield _training("one", "texts with a special token between", arguments, cut)
    arguments = {"text": "ab" + END + "ab" + END + "ba", "vocab_size": 262, "special_tokens": [END]}
    yield _training("inside", "a special token between letters", arguments, cut)
    numbered = "Special tokens come after the 256 bytes, in the order given, and count for vocab_size."
    arguments = {"text": _text(draw, 10), "vocab_size": 263, "special_tokens": ["<z>", "<a>", "<m>"]}
    yield _training("absent", "three special tokens that do not occur", arguments, numbered)
    longest = "Where two special tokens begin at one place, the longer one counts."
    text = f"{_text(draw, 3)}<s><s>{_text(draw, 3)}<s>{_text(draw, 3)}"
    arguments = {"text": text, "vocab_size": 266, "special_tokens": ["<s>", "<s><s>"]}
    yield _training("longest", "one special token is the beginning of another", arguments, longest)
    signs = "A special token may hold signs that mean something in a regular expression."
    text = ".*".join(_text(draw, 4) for _ in range(3))
    yield _training("signs", "a special token `.*`", {"text": text, "vocab_size": 265, "special_tokens": [".*"]}, signs)
    text = f"{_text(draw, 3)}{END}{_text(draw, 3)}"
    yield _training("not-special", "what would be a special token, if it were given", {"text": text, "vocab_size": 270})


def _trained(draw: Draw, text: str, merges: int, special_tokens: tuple[str, ...] = ()) -> dict:
    """What a tokenizer is made of: as the reference trains it."""
    size = 256 + len(special_tokens) + merges
    vocab, learned = draw.reference.train_bpe(text, size, special_tokens)
    made = {"vocab": vocab, "merges": learned}
    return made | {"special_tokens": list(special_tokens)} if special_tokens else made


def _asked(name: str, title: str, made: dict, questions: list, hint: str = "") -> Case:
    """A tokenizer is made once, and asked several times. Questions are methods with their arguments."""
    script = Script(TOKENIZER)
    tokenizer = script.call(TOKENIZER, made, what="tokenizer")
    for method, argument in questions:
        shown = repr(argument) if len(repr(argument)) < 60 else "..."
        script.method(tokenizer, method, argument, what=f"result of `{method}({shown})`")
    return Case(name, title, script.as_call(), hint=hint)


def encoding(draw: Draw) -> Iterator[Case]:
    """The merges in their order, and special tokens as themselves."""
    text = _text(draw, 40)
    order = "In each word make the merge that was learned first, wherever it is possible; then the next."
    questions = [("encode", text), ("encode", _text(draw, 10)), ("encode", "")]
    yield _asked("text", "texts of known letters", _trained(draw, text, 20), questions, order)
    merges = [(b"a", b"b"), (b"b", b"c"), (b"c", b"d"), (b"bc", b"d"), (b"a", b"bcd")]
    tokens = [bytes([byte]) for byte in range(256)] + [first + second for first, second in merges]
    by_hand = {"vocab": dict(enumerate(tokens)), "merges": merges}
    questions = [("encode", "abcd"), ("encode", "bcd"), ("encode", "cd abc")]
    yield _asked("order", "merges whose order decides", by_hand, questions, order)
    rank = [(b"b", b"c"), (b"a", b"b"), (b"ab", b"c")]
    tokens = [bytes([byte]) for byte in range(256)] + [first + second for first, second in rank]
    questions = [("encode", "abc"), ("encode", "ab"), ("encode", "abcabc")]
    longest = {"vocab": dict(enumerate(tokens)), "merges": rank}
    yield _asked("not-longest", "the longest token is not the answer", longest, questions, order)
    made = _trained(draw, text, 12)
    turned = made | {"vocab": {1000 - number: token for number, token in made["vocab"].items()}}
    hint = "Take the numbers from the vocabulary."
    yield _asked("numbered", "a vocabulary that is numbered in another way", turned, [("encode", text)], hint)
    everywhere = "A merge is made at every place of the word where it is possible."
    runs = _trained(draw, "aaaa aaaa aa", 3)
    questions = [("encode", "a" * draw.integer(5, 9)), ("encode", "aaa"), ("encode", "baaab")]
    yield _asked("runs", "words of one letter", runs, questions, everywhere)
    new = [("encode", "xyz äöü 🙂"), ("encode", "  a\n\n b\t")]
    yield _asked("unknown", "letters that were not trained on", _trained(draw, text, 8), new)
    tokens = (END, "<s>", "<s><s>")
    made = _trained(draw, text, 10, tokens)
    mixed = [("encode", f"{text[:20]}{END}{text[:9]}<s><s><s>"), ("encode", END), ("encode", "<|end|<s")]
    hint = "Each special token becomes its own number, the longer one where two begin at one place."
    yield _asked("special", "texts with special tokens", made, mixed, hint)
    plain = {name: value for name, value in made.items() if name != "special_tokens"}
    yield _asked("not-special", "special tokens that are not given", plain, [("encode", f"ab{END}")], "They are text.")


def decoding(draw: Draw) -> Iterator[Case]:
    """Bytes first, then text."""
    text = f"{_text(draw, 20, 'äéab')} 🙂🙃"
    made = _trained(draw, text, 15, (END,))
    whole = "A character may be spread over several tokens: put all bytes together before you decode."
    ids = draw.reference.Tokenizer(**made).encode(text + END)
    yield _asked("text", "a text with letters beyond ASCII", made, [("decode", ids), ("decode", [])], whole)
    split = [*"é🙂".encode()]
    yield _asked("bytes", "characters byte by byte", made, [("decode", split), ("decode", split[:1])], whole)
    broken = [("decode", [255, 97]), ("decode", [97, *"🙂".encode()[:2], 98])]
    hint = 'Where bytes are no text, errors="replace" puts the replacement character.'
    yield _asked("no-text", "bytes that are no text", made, broken, hint)
    turned = made | {"vocab": {number + 5: token for number, token in made["vocab"].items()}}
    yield _asked("numbered", "a vocabulary numbered in another way", turned, [("decode", [each + 5 for each in ids])])
    script = Script(TOKENIZER)
    tokenizer = script.call(TOKENIZER, made, what="tokenizer")
    script.method(tokenizer, "decode", [97, 99_999], what="answer to an unknown number", raises=["KeyError"])
    script.method(tokenizer, "decode", [97], what="result of `decode([97])`")
    yield Case(
        "unknown", "a number that is not in the vocabulary", script.as_call(), hint="Unknown numbers raise KeyError."
    )


def iterables(draw: Draw) -> Iterator[Case]:
    """Files are too long to be read at once."""
    texts = [_text(draw, 5) + "\n" for _ in range(4)]
    made = _trained(draw, "".join(texts), 12, (END,))
    lazily = "encode_iterable gives an iterator of numbers, not a list."
    yield _asked("lines", "lines of a text", made, [("encode_iterable", texts), ("encode_iterable", [])], lazily)
    apart = "Each text is encoded by itself."
    questions = [("encode_iterable", ["ab", "ab"]), ("encode_iterable", ["<|e", "nd|>"])]
    yield _asked("pieces", "words in two texts", made, questions, apart)
    script = Script(TOKENIZER)
    tokenizer = script.call(TOKENIZER, made, what="tokenizer")
    script.method(tokenizer, "encode_iterable", iter(texts), what="first numbers of a generator's texts")
    yield Case("bounded", "the first 7 numbers", script.as_call(most_taken=7), hint=lazily)


def contract(draw: Draw) -> Iterator[Case]:
    """Arguments belong to the caller; sizes that make no sense are refused."""
    arguments = {"text": _text(draw, 10), "vocab_size": 265, "special_tokens": ["<b>", "<a>", "<longer>"]}
    call = Call("", TRAIN, arguments, gives=Gives.VALUES, return_arguments=True)
    yield Case("unchanged", "arguments do not change", call, aspects=frozenset({Aspect.OUTPUT, Aspect.ARGUMENTS}))
    script = Script(TOKENIZER)
    made = _trained(draw, _text(draw, 10), 5, ("<a>", "<long>"))
    held = {name: script.let(value) for name, value in made.items()}
    tokenizer = script.call(TOKENIZER, held, what="tokenizer")
    script.method(tokenizer, "encode", "ab<a>", what="result of `encode('ab<a>')`")
    for name, handle in held.items():
        script.read(handle, what=f"argument `{name}` after it")
    yield Case("tokenizer-unchanged", "a tokenizer changes nothing that it is given", script.as_call())
    for name, size, tokens in (("bytes", 255, []), ("special", 257, ["<a>", "<b>"])):
        arguments = {"text": "ab", "vocab_size": size, "special_tokens": tokens}
        call = Call("", TRAIN, arguments, gives=Gives.VALUES)
        title = f"vocab_size = {size} with {len(tokens)} special tokens is refused"
        yield Case(f"too-small-{name}", title, call, raises=("ValueError",))
    arguments = {"text": "ab", "vocab_size": 258, "special_tokens": ["<a>", "<b>"]}
    yield _training("just-enough", "vocab_size has room for the special tokens, and no more", arguments)


def structure(draw: Draw) -> list[StructureCall]:
    """Watched, not judged."""
    return [StructureCall(Call("", TRAIN, {"text": _text(draw), "vocab_size": 262}, gives=Gives.VALUES))]


def workload(draw: Draw) -> Call:
    """What is timed."""
    return Call("workload", TRAIN, {"text": _text(draw, 3000), "vocab_size": 290}, gives=Gives.VALUES)


def example(draw: Draw, words: int, letters: str, merges: int) -> Call:
    """What a student may try by hand."""
    text = " ".join(_word(draw, 3, letters) for _ in range(words))
    return Call("", TRAIN, {"text": text, "vocab_size": 256 + merges}, gives=Gives.VALUES)


EXAMPLE_SIZES = (
    {"words": 1, "letters": "a", "merges": 1},
    {"words": 1, "letters": "ab", "merges": 2},
    {"words": 3, "letters": "ab", "merges": 3},
    {"words": 4, "letters": "abc", "merges": 4},
)

FAMILIES = {
    "training": training,
    "ties": ties,
    "words": words,
    "special": special,
    "encoding": encoding,
    "decoding": decoding,
    "iterables": iterables,
    "contract": contract,
}
