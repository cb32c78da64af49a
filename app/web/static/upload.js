// The upload: dropped or pasted anywhere on the page, and looked at before it is sent. The form works without all this.
//
// What cannot be graded for sure is held back. What only looks wrong is said, and can be sent all the same: a look at
// the text is not Python, and the grader has the last word.
const form = document.querySelector("form[data-needs]");
const needs = JSON.parse(form.dataset.needs);
const limit = Number(form.dataset.limit);
const notebookLimit = 960 * 1024; // with its outputs, which count as sent
const field = form.elements.file;
const pasted = form.elements.source; // a text area: where a source is fixed the editor writes into it
const isMended = "draft" in pasted.dataset;
const verdict = document.getElementById("check");
const button = form.querySelector("button[type=submit]");
const label = button.textContent;

field.addEventListener("change", look);
pasted.addEventListener("input", look);
addEventListener("pageshow", look);
field.addEventListener("invalid", () => reveal(field)); // what stops the form can be seen

document.addEventListener("dragover", (event) => {
  if (!event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  field.classList.add("dragging");
});
document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) field.classList.remove("dragging"); });
document.addEventListener("drop", (event) => {
  field.classList.remove("dragging");
  if (!event.dataTransfer.files.length || event.target.matches("input[type=file]")) return;
  event.preventDefault();
  event.stopPropagation(); // the editor would take its text in
  take(event.dataTransfer.files);
}, { capture: true });

document.addEventListener("paste", (event) => {
  if (event.target.matches("textarea, input")) return;
  const text = event.clipboardData.getData("text/plain");
  if (event.clipboardData.files.length) take(event.clipboardData.files);
  else if (!isMended && text.trim()) {
    field.value = "";
    pasted.value = text;
    reveal(pasted);
    pasted.dispatchEvent(new Event("input", { bubbles: true }));
  } else return;
  event.preventDefault();
  event.stopPropagation(); // the editor would write the file's name
}, { capture: true });

// The first file alone: an upload is one file, and others have a place of their own.
function take(files) {
  const one = new DataTransfer();
  one.items.add(files[0]);
  field.files = one.files;
  reveal(field);
  look();
}

function reveal(control) {
  const around = control.closest("details");
  if (around) around.open = true;
}

async function look() {
  const file = field.files[0];
  pasted.closest(".field").inert = Boolean(file); // the file is what counts, as it is: nobody types in vain
  const typed = file ? "" : pasted.value;
  const name = file ? file.name.replaceAll("`", "'") : isMended ? "Your source" : "The pasted text";
  const size = file ? file.size : new TextEncoder().encode(typed).length;
  let refusal = "", doubts = [], text = typed;
  const isNotebook = file && name.toLowerCase().endsWith(".ipynb");
  if (isNotebook && size > notebookLimit) refusal = `${name} has ${Math.ceil(size / 1024)} KiB; the limit is ${notebookLimit / 1024} KiB. Clear its outputs, save it, and choose it again.`;
  else if (size > limit && !isNotebook) refusal = `${name} has ${Math.ceil(size / 1024)} KiB; the limit is ${limit / 1024} KiB. Choose the source file itself.`;
  else if (file && size === 0) refusal = `${name} is empty. Did you save it in your editor?`;
  else if (file) {
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
      if (isNotebook) text = codeOf(text);
    } catch {
      refusal = isNotebook ? `${name} cannot be read as a notebook. Save it again, and choose that file.` : `${name} is not UTF-8 text. If it is the right file, save it as UTF-8.`;
    }
    if (text.includes("\0")) refusal = `${name} is not a text file. Choose the source file itself.`;
  }
  const isSentAgain = await isOfLastAttempt(text);
  if (file !== field.files[0] || (!file && typed !== pasted.value)) return; // another was chosen meanwhile
  if (!refusal && text.trim()) doubts = doubtsAbout(text);
  if (isSentAgain) doubts.push("Nothing has changed since your last attempt: submitting it again uses another one.");
  const isAsItWas = isMended && !file && typed === pasted.defaultValue;
  field.setCustomValidity(refusal);
  button.textContent = doubts.length ? "Submit anyway" : label;
  tell(refusal ? "alert" : doubts.length || isAsItWas ? "note" : "done", refusal ? [refusal] : doubts.length ? doubts : isAsItWas ? ["Nothing has changed yet."] : text.trim() ? [fine(name, size)] : []);
  if (file) verdict.append(remover());
}

// Told only where attempts are limited; where the page came by plain HTTP, browsers compute no digests.
async function isOfLastAttempt(text) {
  if (!form.dataset.sent || !crypto.subtle || form.elements.siblings?.files.length) return false;
  const bytes = new TextEncoder().encode(text.replaceAll("\r\n", "\n"));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("") === form.dataset.sent;
}

function remover() {
  const remove = Object.assign(document.createElement("button"), { type: "button", className: "quiet", textContent: "Remove this file" });
  remove.addEventListener("click", () => {
    field.value = "";
    field.focus();
    look();
  });
  return remove;
}

// The code cells of a notebook, without lines that are no Python. In format 3 they lie in worksheets, as their input.
function codeOf(text) {
  const notebook = JSON.parse(text);
  const cells = notebook.cells ?? notebook.worksheets.flatMap((sheet) => sheet.cells);
  const code = cells.filter((cell) => cell.cell_type === "code").map((cell) => [cell.source ?? cell.input].flat().join(""));
  return code.filter((cell) => !/^%%(?!(time|timeit|capture|prun|submit)\b)/.test(cell)).join("\n").replace(/^[ \t]*[%!?].*$/gm, "");
}

// What stands between backticks is code.
function tell(kind, sentences) {
  verdict.className = sentences.length ? kind : "";
  verdict.replaceChildren(...sentences.map((sentence) => {
    const paragraph = document.createElement("p");
    paragraph.append(...sentence.split("`").map((text, place) => (place % 2 ? Object.assign(document.createElement("code"), { textContent: text }) : text)));
    return paragraph;
  }));
}

function fine(name, size) {
  return `${name} (${(size / 1024).toFixed(1)} KiB) defines ${inWords(needs)}. Ready to submit.`;
}

function doubtsAbout(text) {
  const code = withoutStrings(text);
  const bracket = openBracket(code);
  const missing = missingFrom(code);
  const doubts = bracket ? [bracket] : [];
  if (!missing.length) return doubts;
  const there = [...code.matchAll(/^(?:async +)?(?:def|class) +(\w+)/gm)].map((match) => match[1]);
  const others = there.filter((name) => !needs.includes(name)).slice(0, 5);
  const instead = others.length ? ` At the top level it defines ${inWords(others)}.` : there.length ? "" : " At the top level it defines nothing.";
  doubts.push(`${inWords(missing)} ${missing.length === 1 ? "is" : "are"} missing: the exercise calls ${missing.length === 1 ? "it" : "them"} by name.${instead}`);
  return doubts;
}

// Names that are neither defined outside of classes and functions, nor assigned, nor imported.
function missingFrom(code) {
  const imported = [...code.matchAll(/\bimport\s*(?:\(([^)]*)\)|(.*))/g)].map((match) => match[1] ?? match[2]).join(" ");
  if (imported.includes("*")) return [];
  return needs.filter((name) => {
    const isNamed = new RegExp(`\\b${name}\\b`);
    if (isNamed.test(imported) || new RegExp(`^\\s*${name}\\s*(:[^=\\n]*)?=`, "m").test(code)) return false;
    const defined = [...code.matchAll(new RegExp(`^([ \\t]*)(?:async +)?(?:def|class) +${name}\\b`, "gm"))];
    return !defined.some((match) => !match[1] || !isInside(code.slice(0, match.index), match[1].length));
  });
}

// Whether what is so far indented belongs to a class or a function above it.
function isInside(above, indent) {
  for (const line of above.split("\n").reverse()) {
    const own = line.search(/\S/);
    if (own < 0 || own >= indent) continue;
    if (/^\s*(?:async +)?(?:def|class)\b/.test(line)) return true;
    indent = own;
  }
  return false;
}

function openBracket(code) {
  const closing = { "(": ")", "[": "]", "{": "}" };
  const open = [];
  for (const { 0: sign, index } of code.matchAll(/[()[\]{}]/g)) {
    const line = code.slice(0, index).split("\n").length;
    if (sign in closing) open.push({ sign, line });
    else if (closing[open.pop()?.sign] !== sign) return `Line ${line} has a closing “${sign}” without an opening one: Python cannot read the file.`;
  }
  const last = open.pop();
  return last && `The “${last.sign}” in line ${last.line} is never closed: Python cannot read the file.`;
}

// Comments and strings, line ends aside, as nothing: what they say is no code.
function withoutStrings(text) {
  const parts = /#.*|("""|''')(?:\\[\s\S]|(?!\1)[\s\S])*(?:\1|$)|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'/g;
  return text.replace(/\r\n?/g, "\n").replace(parts, (part) => part.replace(/[^\n]/g, " "));
}

function inWords(bare) {
  const names = bare.map((name) => `\`${name}\``);
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
