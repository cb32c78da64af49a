// A link carries its code behind the #, which browsers never send. It goes into the form, and out of the address.
const field = document.querySelector("input[name=code]");
const code = decodeURIComponent(location.hash.slice(1));
if (field && code) {
  field.value = code;
  history.replaceState(null, "", location.pathname);
  document.querySelector("[data-by-hand]").hidden = true;
  document.querySelector("[data-by-link]").hidden = false;
  const others = [...field.form.querySelectorAll("input:not([type=hidden]), select")].filter((each) => each !== field);
  (others[0] ?? field.form.querySelector("button[type=submit]")).focus();
}

// A new course is most likely where its browser is, unless the service was given a zone.
const zone = document.querySelector("[data-browser-zone] select");
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone?.value === "UTC" && [...zone.options].some((each) => each.value === here)) zone.value = here;
