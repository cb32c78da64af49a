// The look: the page's tokens, which reach into the editor. The colours of code are those of style.css and app/web/colours.py.
import { pythonLanguage } from "@codemirror/lang-python";
import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { styleTags, tags } from "@lezer/highlight";

// With the whole name of a decorator as one thing.
export const python = pythonLanguage.configure({ props: [styleTags({ 'Decorator/VariableName Decorator/"."': tags.meta })] });

export const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.bool], color: "var(--accent)" },
  { tag: tags.string, color: "var(--good)" },
  { tag: tags.number, color: "var(--warn)" },
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
  { tag: [tags.definition(tags.className), tags.function(tags.definition(tags.variableName)), tags.meta], fontWeight: "700" },
]);

export const look = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--sunken)", fontSize: "var(--text-s)" },
  "&.cm-focused": { outline: "none" }, // the page draws it around the whole
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5", tabSize: "4" },
  ".cm-content": { padding: "var(--space-3) 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 var(--space-4) 0 0" },
  ".cm-gutters": { color: "var(--faint)", backgroundColor: "var(--sunken)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 .75em 0 1.75em" },
  ".cm-line.marked": { backgroundColor: "var(--mark)" },
  ".cm-gutterElement.marked": { color: "var(--ink)", backgroundColor: "var(--mark)", boxShadow: "inset 4px 0 0 var(--bad)", fontWeight: "700" },
  ".cm-gutterElement.marked::before": { content: "'▸'", float: "left", marginLeft: "-1em" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)", outline: "1px solid var(--accent)" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--bad-soft)", outline: "1px solid var(--bad)" },
  ".cm-specialChar": { color: "var(--bad)" },
  ".cm-searchMatch": { backgroundColor: "var(--warn-soft)", outline: "1px solid var(--warn)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--accent-soft)", outline: "2px solid var(--accent)" },
  ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--surface)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search, .cm-panel.cm-dialog": { padding: "var(--space-2) var(--space-6) var(--space-2) var(--space-3)", font: "var(--text-s) var(--sans)" },
  ".cm-panel.cm-search label": { fontSize: "inherit" },
  ".cm-panel input[type=checkbox]": { accentColor: "var(--accent)" },
  ".cm-textfield": { font: "inherit", color: "inherit", backgroundColor: "var(--surface)", border: "1px solid var(--edge)", borderRadius: "4px", padding: "var(--space-1) var(--space-2)" },
  ".cm-button": { font: "inherit", color: "var(--accent)", background: "var(--accent-soft)", border: "none", borderRadius: "4px", padding: "var(--space-1) var(--space-2)", cursor: "pointer" },
  ".cm-panel [name=close]": { color: "var(--accent)", cursor: "pointer", minWidth: "1.75rem", minHeight: "1.75rem", top: "var(--space-2)", right: "var(--space-2)", fontSize: "var(--text-l)" },
  ".cm-panel :focus-visible": { outline: "3px solid var(--accent)", outlineOffset: "1px" },
});
