"""Any training and any tokenizer that the spec allows, for the family `combinations`."""

from grader.authoring import Space

ALPHABETS = {"ASCII": "abc", "of two bytes": "äéß", "of four bytes": "🙂🙃🙁"}
BETWEEN = {"spaces": " ", "lines": "\n", "punctuation": "!"}
TOKENS = {
    "none": (),
    "one": ("<e>",),
    "two, one the beginning of the other": ("<e>", "<e><e>"),
    "two that do not occur": ("<z>", "<a>"),
}

TRAINING = {
    "different words": (1, 2, 3),
    "letters in a word": (1, 2, 3, 4),
    "times": (1, 2, 3),
    "merges": (1, 2, 3, 4),
    "letters": tuple(ALPHABETS),
    "between words": tuple(BETWEEN),
    "special tokens": tuple(TOKENS),
}
ENCODING = {
    "merges": (1, 2, 3, 4),
    "letters in a word": (1, 2, 3, 4),
    "words": (1, 2, 3),
    "letters": tuple(ALPHABETS),
    "special tokens": tuple(TOKENS),
    "numbers": ("as trained", "in another order"),
    "method": ("encode", "encode_iterable", "decode"),
}


def _settled(choice):
    return choice


def _sizes_of_training(choice):
    return {name: choice[name] for name in ("different words", "letters in a word", "times", "merges")}


def _sizes_of_encoding(choice):
    return {name: choice[name] for name in ("merges", "letters in a word", "words")}


def _with_specials(draw, texts, choice):
    """Special tokens at both ends of a text, and between."""
    tokens = TOKENS[choice["special tokens"]]
    if not tokens or choice["special tokens"] == "two that do not occur":
        return "".join(texts)
    return tokens[0].join(texts) + "".join(tokens)


def _texts(draw, choice, words, between=" "):
    """Each word once, and again in another text."""
    made = [_word(draw, choice["letters in a word"], ALPHABETS[choice["letters"]]) for _ in range(words)]
    return [between.join(made), between.join(made[: draw.integer(1, words)])]


def _training_of(draw, choice):
    texts = _texts(draw, choice, choice["different words"], BETWEEN[choice["between words"]]) * choice["times"]
    tokens = TOKENS[choice["special tokens"]]
    arguments = {
        "text": _with_specials(draw, texts, choice),
        "vocab_size": 256 + len(tokens) + choice["merges"],
        **({"special_tokens": list(tokens)} if tokens else {}),
    }
    return _training("", _told(choice), arguments)


def _tokenizer_of(draw, choice):
    tokens = TOKENS[choice["special tokens"]]
    texts = _texts(draw, choice, choice["words"])
    made = _trained(draw, " ".join(texts * 2), choice["merges"], tokens)
    text = _with_specials(draw, texts, choice)
    if choice["numbers"] == "in another order":
        made["vocab"] = {len(made["vocab"]) - number: token for number, token in made["vocab"].items()}
    asked = {"encode": text, "encode_iterable": [text, text]}
    if choice["method"] == "decode":
        asked["decode"] = draw.reference.Tokenizer(**made).encode(text)
    return _asked("", _told(choice), made, [(choice["method"], asked[choice["method"]])])


def _told(choice):
    return ", ".join(f"{name}: {value}" for name, value in choice.items())


UTF_8 = "Each word is a sequence of the bytes of its UTF-8 form"
LONGER = "the longer one counts"
SPACES = {
    TRAIN: Space(
        TRAINING,
        _settled,
        _sizes_of_training,
        _training_of,
        {
            "letters": UTF_8,
            "between words": "No pair crosses from one word into the next",
            "special tokens": LONGER,
        },
    ),
    TOKENIZER: Space(
        ENCODING,
        _settled,
        _sizes_of_encoding,
        _tokenizer_of,
        {
            "letters": UTF_8,
            "special tokens": LONGER,
            "numbers": "which may be numbered in another way",
            "method": "one text after the other, as they are asked for",
        },
    ),
}
