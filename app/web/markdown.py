"""A challenge's spec as HTML. Raw HTML in it is shown, not obeyed; links to scripts are not made.

Formulas stand between dollars, as on code hosts.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from mdit_py_plugins.dollarmath import dollarmath_plugin

from app.web.formulas import to_mathml


@lru_cache(maxsize=128)  # some texts take seconds, and every visitor of a page asks for the same one
def to_html(markdown: str) -> Markup:
    """Renders the text without its first line when that is the title, which the page shows already."""
    tokens = _parser.parse(markdown)
    if tokens and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        tokens = tokens[3:]
    for token in tokens:
        _replace_style(token)
    return Markup(_parser.renderer.render(tokens, _parser.options, {}))  # noqa: S704 - the renderer escapes all text


def _replace_style(token: Token) -> None:
    """A column's alignment as a class: the pages' policy allows no style attributes."""
    style = token.attrs.pop("style", None)
    if style is not None:
        token.attrs["class"] = str(style).replace("text-align:", "align-")


def _scrolls(label: str) -> str:
    """Attributes of what is as wide as it must be: whether it fits depends on the screen and its fonts, and who uses no
    mouse scrolls it with the keys once it is in focus."""
    return f'tabindex="0" role="group" aria-label="{label}"'


def _open_table(_renderer: Any, _tokens: Sequence[Token], _index: int, _options: Any, _env: Any) -> str:
    return f'<div class="scroll" {_scrolls("Table")}><table>\n'


def _close_table(_renderer: Any, _tokens: Sequence[Token], _index: int, _options: Any, _env: Any) -> str:
    return "</table></div>\n"


def _fence(_renderer: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    opened = Markup('<pre class="scroll" {}>').format(Markup(_scrolls("Code")))  # noqa: S704 - ours
    return str(opened + Markup("<code>{}</code></pre>\n").format(tokens[index].content))


def _formula_block(_renderer: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    formula = to_mathml(tokens[index].content.strip(), "block")
    return f'<div class="math block" {_scrolls("Formula")}>{formula}</div>\n'


def _formula(latex: str, _options: Mapping[str, Any]) -> str:
    return to_mathml(latex, "inline")


def _build() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.use(dollarmath_plugin, allow_digits=False, renderer=_formula)
    parser.add_render_rule("table_open", _open_table)
    parser.add_render_rule("table_close", _close_table)
    parser.add_render_rule("math_block", _formula_block)
    parser.add_render_rule("math_block_label", _formula_block)
    parser.add_render_rule("fence", _fence)
    parser.add_render_rule("code_block", _fence)
    return parser


_parser: Final = _build()
