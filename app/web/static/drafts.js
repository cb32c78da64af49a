// What somebody types into a text area outlives a reload, the back button and a session that has ended: in this tab, for
// them alone. Where a browser allows no storage (in the frame of another site, say) nothing is kept.
const person = document.querySelector("form.who")?.dataset.person;
const typed = "textarea:not([hidden], [data-draft])"; // the editor keeps its own
const sent = "sent";

export function recall(draft) {
  return attempt((storage) => storage.getItem(named(draft))) ?? null;
}

// Whether there was room for it.
export function keep(draft, text) {
  return attempt((storage) => { storage.setItem(named(draft), text); return true; }) ?? false;
}

export function forget(draft) {
  attempt((storage) => storage.removeItem(named(draft)));
}

// What was sent is no draft any more once it has arrived: where a page says otherwise, or asks to sign in, it stays one.
export function arrived(isSo = true) {
  attempt((storage) => {
    if (isSo) JSON.parse(storage.getItem(sent) ?? "[]").forEach(forget);
    storage.removeItem(sent);
  });
}

arrived(Boolean(person) && !document.querySelector(".status-code"));
if (person) {
  for (const area of document.querySelectorAll(typed)) resume(area);
  document.addEventListener("input", ({ target }) => {
    if (target.matches(typed)) keep(nameOf(target), JSON.stringify([target.defaultValue, target.value]));
  });
  document.addEventListener("submit", ({ target }) => {
    const drafts = [...target.querySelectorAll(typed)].map(nameOf);
    attempt((storage) => target.matches(".who") ? storage.clear() : storage.setItem(sent, JSON.stringify(drafts)));
  });
}

// Not where the page has another text by now than the one that was changed.
function resume(area) {
  const [before, text] = JSON.parse(recall(nameOf(area)) ?? "[]");
  if (before !== area.defaultValue || text === before) return;
  area.value = text;
  const around = area.closest("details");
  if (around) around.open = true;
}

function nameOf(area) {
  return `${area.form.action} ${area.id}`;
}

function named(draft) {
  return `${person} ${draft}`;
}

function attempt(use) {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}
