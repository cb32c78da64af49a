// The page of a submission that is not graded yet: each test as it ends, then the result in place of all this.
const live = document.getElementById("live");
const part = (name) => live.querySelector(`[data-part="${name}"]`);
const families = part("families");
const finals = new Set(["graded", "cancelled", "superseded"]);
const words = { passed: "passed", failed: "failed", error: "crashed", timeout: "out of time", skipped: "not run" };
const events = new EventSource(live.dataset.events);

events.addEventListener("state", (event) => {
  const { state } = JSON.parse(event.data);
  if (finals.has(state)) {
    events.close();
    location.reload();
  } else {
    if (state === "running") {
      part("place").textContent = "";
      part("cancel")?.remove(); // a judge was quicker
    }
    part("heading").textContent = state === "running" ? "Being graded" : "Waiting for a grader";
    startOver();
  }
});

events.addEventListener("queue", (event) => {
  const place = JSON.parse(event.data);
  const start = place.estimated_start_at && new Date(place.estimated_start_at).toLocaleTimeString();
  part("place").textContent = `Position ${place.position} in the queue${start ? `, starts at about ${start}` : ""}.`;
});

events.addEventListener("test", (event) => {
  const test = JSON.parse(event.data);
  const dot = document.createElement("span");
  dot.className = `mark ${test.status}`;
  dot.title = `${test.title}: ${words[test.status]}`;
  dotsOf(test.group).append(dot);
  part("progress").max = test.total;
  part("progress").value = test.done;
  part("status").textContent = `${test.done} of ${test.total} tests done.`;
});

events.addEventListener("verdict", (event) => {
  part("status").textContent = JSON.parse(event.data).summary;
});

events.addEventListener("error", () => {
  // The browser connects again by itself, unless the server refused; then only loading the page can help.
  if (events.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 3000);
});

// After a fault of ours the submission is graded once more, and its tests are told again.
function startOver() {
  if (!families) return; // held results tell no tests
  for (const dots of families.querySelectorAll(".dots")) dots.replaceChildren();
  part("progress").removeAttribute("value");
}

function dotsOf(group) {
  let row = [...families.children].find((item) => item.dataset.group === group);
  if (!row) {
    row = document.createElement("li");
    row.dataset.group = group;
    row.append(Object.assign(document.createElement("span"), { textContent: group }), Object.assign(document.createElement("span"), { className: "dots" }));
    families.append(row);
  }
  return row.querySelector(".dots");
}

