// What can be said of a text without an editor.

// The least change, from where two texts begin to differ to where they end alike.
export function changeBetween(old, fresh) {
  const shorter = Math.min(old.length, fresh.length);
  let from = 0, alike = 0;
  while (from < shorter && old[from] === fresh[from]) from += 1;
  while (alike < shorter - from && old.at(-1 - alike) === fresh.at(-1 - alike)) alike += 1;
  return { from, to: old.length - alike, insert: fresh.slice(from, fresh.length - alike) };
}

// What the first block is indented with, so that a file with tabs stays one.
export function unitOf(text) {
  const found = /:[ \t]*(?:#.*)?\n(?:[ \t]*\n)*([ \t]+)\S/.exec(text);
  return found && /^(\t+| {2,8})$/.test(found[1]) ? (found[1][0] === "\t" ? "\t" : found[1]) : "    ";
}
