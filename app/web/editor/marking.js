// The line that is spoken of: it stays marked while the text around it changes.
import { RangeSet, StateField } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, gutterLineClass } from "@codemirror/view";

const line = Decoration.line({ class: "marked" });
const number = new (class extends GutterMarker { elementClass = "marked"; })();

// `at` is where the line begins.
export function marking(at) {
  const place = StateField.define({ create: () => at, update: (now, { changes }) => changes.mapPos(now, 1) });
  const begin = (state) => state.doc.lineAt(state.field(place)).from;
  return [
    place,
    EditorView.decorations.compute(["doc", place], (state) => Decoration.set(line.range(begin(state)))),
    gutterLineClass.compute(["doc", place], (state) => RangeSet.of(number.range(begin(state)))),
  ];
}
