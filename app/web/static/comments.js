// Clicking a line of the source puts its number into the form for a comment; typing the number does the same.

const line = document.getElementById("line");
const file = document.getElementById("file");

document.addEventListener("click", (event) => {
  const clicked = event.target.closest("[data-comments-on] .line");
  if (!clicked || !getSelection().isCollapsed) return;
  line.value = clicked.dataset.number;
  if (file) file.value = clicked.closest("[data-comments-on]").dataset.commentsOn;
  document.getElementById("text").focus({ preventScroll: true });
});
