"""A challenge's spec as HTML. Raw HTML in it is shown, not obeyed; links to scripts are not made.

Formulas stand between dollars, as on code hosts, and become MathML, which browsers draw without a script.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from mdit_py_plugins.dollarmath import dollarmath_plugin


def to_html(markdown: str) -> Markup:
    """The text without its first line when that is the title, which the page shows already."""
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


def _open_table(_renderer: Any, _tokens: Sequence[Token], _index: int, _options: Any, _env: Any) -> str:
    return '<div class="scroll" tabindex="0"><table>\n'


def _close_table(_renderer: Any, _tokens: Sequence[Token], _index: int, _options: Any, _env: Any) -> str:
    return "</table></div>\n"


def _fence(_renderer: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    return str(Markup('<pre class="scroll" tabindex="0"><code>{}</code></pre>\n').format(tokens[index].content))


def _formula(latex: str, options: Mapping[str, Any]) -> str:
    return convert(latex, display="block" if options["display_mode"] else "inline")


def _build() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.use(dollarmath_plugin, allow_digits=False, renderer=_formula)
    parser.add_render_rule("table_open", _open_table)
    parser.add_render_rule("table_close", _close_table)
    parser.add_render_rule("fence", _fence)
    parser.add_render_rule("code_block", _fence)
    return parser


_parser: Final = _build()
