// Questions that ask for an order: a list to drag, with buttons for the keyboard and the thumb, in place of a menu for
// each place. The menus stay, unseen, and are what is sent.
export function arrange(root) {
  for (const set of root.querySelectorAll("fieldset.order")) if (!set.disabled && !set.closest("fieldset:disabled")) asList(set);
}

function asList(set) {
  const menus = [...set.querySelectorAll("select")];
  const options = [...menus[0].options].filter((option) => option.value);
  const chosen = menus.map((menu) => menu.value);
  const list = document.createElement("ol");
  const said = Object.assign(document.createElement("p"), { className: "unseen", role: "status" });
  list.className = "arrange";
  list.setAttribute("aria-labelledby", set.getAttribute("aria-labelledby"));
  const first = chosen.every(Boolean) ? chosen : options.map((option) => option.value);
  list.append(...first.map((id) => item(options.find((option) => option.value === id), list, settle)));
  for (const menu of menus) menu.closest("label").hidden = true;
  set.append(list, said);
  const help = set.closest("form").querySelector("[data-arranged]");
  help.textContent = help.dataset.arranged;
  settle();

  function settle(moved) {
    const items = [...list.children];
    menus.forEach((menu, place) => { menu.value = items[place].dataset.option; });
    for (const [place, one] of items.entries()) {
      const [up, down] = one.querySelectorAll("button");
      up.disabled = place === 0;
      down.disabled = place === items.length - 1;
    }
    if (moved) said.textContent = `${moved.querySelector("span").textContent} is now ${items.indexOf(moved) + 1} of ${items.length}.`;
  }
}

function item(option, list, settle) {
  const one = document.createElement("li");
  const text = document.createElement("span");
  one.dataset.option = option.value;
  one.draggable = true;
  text.append(...option.textContent.split("`").map((part, place) => (place % 2 ? Object.assign(document.createElement("code"), { textContent: part }) : part)));
  one.append(text);
  one.append(step(one, "up", "↑", settle), step(one, "down", "↓", settle));
  one.addEventListener("dragstart", (event) => {
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", text.textContent);
    one.classList.add("dragging");
  });
  one.addEventListener("dragend", () => { one.classList.remove("dragging"); settle(one); });
  one.addEventListener("dragover", (event) => {
    const held = list.querySelector(".dragging");
    if (!held) return;
    event.preventDefault();
    const { top, height } = one.getBoundingClientRect();
    if (held !== one) one[event.clientY < top + height / 2 ? "before" : "after"](held);
  });
  one.addEventListener("drop", (event) => event.preventDefault());
  return one;
}

function step(one, way, sign, settle) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "secondary", textContent: sign });
  button.setAttribute("aria-label", `Move ${way}: ${one.querySelector("span").textContent}`);
  button.addEventListener("click", () => {
    if (way === "up") one.previousElementSibling?.before(one);
    else one.nextElementSibling?.after(one);
    settle(one);
    if (button.disabled) one.querySelector("button:not(:disabled)").focus();
    else button.focus();
  });
  return button;
}
