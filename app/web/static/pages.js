// Comfort for every page; each page works without it.
import { arrived } from "./drafts.js";
import { arrange } from "./order.js";

// Forms marked data-swap are sent in place: only the part named there is replaced by its new self.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.dataset.swap) return;
  event.preventDefault();
  const button = form.querySelector("button[type=submit]");
  button.disabled = true;
  try {
    // As a URL-encoded form, as the browser itself would send it.
    const fresh = await partOf(form.action, form.dataset.swap, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    fresh.open = true;
    put(fresh);
    arrived();
    // Not the part itself: a <details> with a tabindex keeps the keyboard out of all that is in it.
    fresh.querySelector("summary").focus({ preventScroll: true });
  } catch {
    button.disabled = false;
    form.submit(); // the browser's own way shows whatever the server has to say
  }
});

async function partOf(address, id, options = {}) {
  const response = await fetch(address, { ...options, headers: { Accept: "text/html" } });
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html").getElementById(id);
  if (!fresh) throw new Error("the answer is another page");
  return fresh;
}

function put(fresh) {
  document.getElementById(fresh.id).replaceWith(fresh);
  showLocalTimes(fresh);
  arrange(fresh);
  watch(fresh);
}

// A line of code is run after it was sent. Its mark comes by itself, but never while another line is being typed.
function watch(part, wait = 1000) {
  if (!("watch" in part.dataset) || wait > 60_000) return;
  setTimeout(async () => {
    if (!part.isConnected) return; // a newer one stands there, and is watched itself
    const isTyping = [...part.querySelectorAll("input[type=text]")].some((input) => input.value !== input.defaultValue);
    const fresh = isTyping ? null : await partOf(part.dataset.watch, part.id).catch(() => null);
    if (!fresh || "watch" in fresh.dataset) return watch(part, 1.5 * wait);
    fresh.open = part.open;
    put(fresh);
  }, wait);
}

for (const part of document.querySelectorAll("[data-watch]")) watch(part);

// A URL name is proposed from the title, until somebody types one of their own.
const title = document.querySelector("input[name=title]");
const slug = document.querySelector("input[name=slug]");
if (title && slug && !slug.value) {
  let isProposed = true;
  slug.addEventListener("input", () => { isProposed = slug.value === ""; });
  title.addEventListener("input", () => { if (isProposed) slug.value = slugOf(title.value); });
}

function slugOf(text) {
  const plain = text.normalize("NFKD").toLowerCase().replace(/[^a-z0-9\s_-]/g, ""); // accents and signs go
  return plain.split(/[\s_-]+/).filter(Boolean).join("-").slice(0, 63).replace(/-$/, "");
}

// Forms marked data-once cannot be sent twice by an impatient double click.
document.addEventListener("submit", (event) => {
  if (!("once" in event.target.dataset)) return;
  const button = event.target.querySelector("button[type=submit]");
  setTimeout(() => { button.disabled = true; });
  addEventListener("pageshow", () => { button.disabled = false; }, { once: true });
});

// A snippet is taken along at one click, where the browser allows it: over https, and from this machine.
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector("code").textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
}

const clock = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export function showLocalTimes(root) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const here = clock.format(new Date(time.dateTime));
    if (time.dataset.zone) { // a course's time is the same for everybody: the reader's own is only told beside it
      time.title = `${time.dataset.zone}; ${here} on your clock`;
    } else {
      time.title = time.textContent;
      time.textContent = here;
    }
  }
}

showLocalTimes(document);
arrange(document);

// On a phone a row of tabs is wider than the screen: the page one is on is in its middle.
const tab = document.querySelector(".tabs [aria-current]");
if (tab) tab.parentElement.scrollLeft = tab.offsetLeft - tab.parentElement.offsetLeft - (tab.parentElement.clientWidth - tab.offsetWidth) / 2;

// What is not done yet says after how many seconds to look again; without this there is a link.
const unfinished = document.querySelector("[data-again]");
if (unfinished) setTimeout(lookAgain, 1000 * Number(unfinished.dataset.again));

// What somebody is typing is not taken from them.
function lookAgain() {
  const typed = [...document.querySelectorAll("input, textarea")].some((field) => field.value !== field.defaultValue);
  if (typed) setTimeout(lookAgain, 1000);
  else location.reload();
}
