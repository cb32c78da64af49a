// Where a source is fixed on the page: the editor, and a draft that outlives a reload, the back button and a new sign-in
// in this tab. The text area works without all this, and stays what is sent.
import { forget, keep, recall } from "./drafts.js";

const area = document.querySelector("textarea[data-draft]");
const form = area.form;
const help = document.getElementById("editor-help");
const discard = document.getElementById("discard");
const notKept = document.getElementById("not-kept");
const { draft } = area.dataset;
let replace = (text) => { area.value = text; area.dispatchEvent(new Event("input")); };

area.value = recall(draft) ?? area.value;
offerToDiscard();
help.hidden = false;

area.addEventListener("input", () => {
  offerToDiscard();
  notKept.hidden = isKept();
});
discard.addEventListener("click", () => replace(area.defaultValue));

// Before the editor itself would take it for a new line.
form.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
  event.preventDefault();
  event.stopPropagation();
  if (!event.repeat) form.requestSubmit();
}, { capture: true });

const { edit } = await import(area.dataset.editor);
document.getElementById("editor-keys").hidden = false;
replace = edit(area, Number(area.dataset.line));

function isKept() {
  if (!discard.hidden) return keep(draft, area.value);
  forget(draft);
  return true;
}

function offerToDiscard() {
  discard.hidden = area.value === area.defaultValue;
}
