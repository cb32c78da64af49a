// Comfort for every page; each page works without it.

// Forms marked data-swap are sent in place: only the part named there is replaced by its new self.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.dataset.swap) return;
  event.preventDefault();
  const button = form.querySelector("button[type=submit]");
  button.disabled = true;
  try {
    // As a URL-encoded form, as the browser itself would send it.
    const response = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = page.getElementById(form.dataset.swap);
    if (!fresh) throw new Error("the answer is another page");
    fresh.open = true;
    document.getElementById(form.dataset.swap).replaceWith(fresh);
    showLocalTimes(fresh);
    fresh.focus({ preventScroll: true });
  } catch {
    button.disabled = false;
    form.submit(); // the browser's own way shows whatever the server has to say
  }
});

// Forms marked data-once cannot be sent twice by an impatient double click.
document.addEventListener("submit", (event) => {
  if (!("once" in event.target.dataset)) return;
  const button = event.target.querySelector("button[type=submit]");
  setTimeout(() => { button.disabled = true; });
  addEventListener("pageshow", () => { button.disabled = false; }, { once: true });
});

const clock = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export function showLocalTimes(root) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    time.title = time.textContent;
    time.textContent = clock.format(new Date(time.dateTime));
  }
}

showLocalTimes(document);

// What is not done yet says after how many seconds to look again; without this there is a link.
const unfinished = document.querySelector("[data-again]");
if (unfinished) setTimeout(() => location.reload(), 1000 * Number(unfinished.dataset.again));
