// The editor over a text area, which stays what is sent. `scripts/editor` makes static/editor.js of this.
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { search, searchKeymap } from "@codemirror/search";
import { EditorState, Prec } from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { changeBetween, unitOf } from "./text.js";
import { marking } from "./marking.js";
import { colours, look, python } from "./look.js";

const WORDS = {
  all: "Select all", "by word": "Whole words", close: "Close", go: "Go", next: "Next", previous: "Previous", "match case": "Match case", regexp: "Regular expression",
  replace: "Replace", "replace all": "Replace all",
};
const WAY_OUT_MS = 60_000; // after Escape, until another key is pressed

// Returns what replaces the whole text. `line` is the one that is spoken of, if any, in the text as it came.
export function edit(area, line) {
  const host = Object.assign(document.createElement("div"), { className: "editor" });
  const shadow = host.attachShadow({ mode: "open" }); // its styles are style sheets there, which the page's policy allows
  area.before(host);
  const view = new EditorView({ state: stateOf(area, line, helpIn(shadow, area)), parent: shadow, root: shadow });
  const replace = (text) => view.dispatch({ changes: changeBetween(view.state.doc.toString(), text) });
  replace(area.value); // a draft: undoing it leads back to the text as it came
  if (document.activeElement === area) view.focus();
  area.hidden = true;
  for (const label of area.labels) label.addEventListener("click", () => view.focus());
  if (line) scrollTo(view, view.state.selection.main.head);
  return replace;
}

function stateOf(area, line, describedBy) {
  const doc = EditorState.create({ doc: area.defaultValue }).doc;
  const at = doc.line(Math.min(line || 1, doc.lines)).from;
  return EditorState.create({
    doc,
    selection: { anchor: at },
    extensions: [
      Prec.highest(keymap.of([{ key: "Escape", run: openWayOut }])),
      keymap.of([...closeBracketsKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
      Prec.lowest(keymap.of([{ key: "Escape", run: () => true }])), // or CodeMirror would shorten the way out to two seconds
      lineNumbers(),
      history(),
      python,
      indentUnit.of(unitOf(area.defaultValue)),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      highlightSpecialChars(),
      search({ top: true }),
      EditorState.phrases.of(WORDS),
      syntaxHighlighting(colours),
      look,
      line ? marking(at) : [],
      EditorView.contentAttributes.of({ tabindex: "0", "aria-label": area.labels[0].textContent.trim(), "aria-describedby": describedBy }),
      EditorView.updateListener.of((update) => { if (update.docChanged) tell(area, update.state.doc.toString()); }),
    ],
  });
}

function tell(area, text) {
  area.value = text;
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

// A description must stand in the same tree as what it describes.
function helpIn(shadow, area) {
  const help = document.getElementById(area.getAttribute("aria-describedby")).cloneNode(true);
  help.hidden = true;
  shadow.append(help);
  return help.id;
}

function openWayOut(view) {
  view.setTabFocusMode(WAY_OUT_MS);
  view.dispatch({ effects: EditorView.announce.of("Press Tab to leave the editor.") });
  return false;
}

// Within the editor alone: the page stays where it is. CodeMirror can miss the scroll while it comes into view, and would show no lines.
function scrollTo(view, at) {
  view.requestMeasure({
    read: () => view.lineBlockAt(at).top - view.scrollDOM.clientHeight / 3,
    write: (top) => {
      view.scrollDOM.scrollTop = top;
      requestAnimationFrame(() => view.requestMeasure());
    },
  });
}
