// Keys for whoever reads many answers; the page works without them.

const form = document.getElementById("marks");
const isTyping = (target) => target.matches("textarea, input[type=text], select");

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit();
    return;
  }
  if (event.key === "Escape") event.target.blur();
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (/^[1-9]$/.test(event.key)) cycle(event.key);
  else if (event.key === "n" || event.key === "j") document.getElementById("next")?.click();
  else if (event.key === "p" || event.key === "k") document.getElementById("previous")?.click();
  else if (event.key === "c") document.getElementById("comment").focus();
  else return;
  event.preventDefault();
});

// All points, half of them, none, and all again.
function cycle(number) {
  const choices = [...form.querySelectorAll(`[data-concept="${number}"] input[type=radio]`)].reverse();
  if (!choices.length) return;
  const next = choices[(choices.findIndex((choice) => choice.checked) + 1) % choices.length];
  next.checked = true;
  next.focus();
}
