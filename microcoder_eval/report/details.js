// The sheet that opens for one row: what it was, its first difference, its tests, its program.
// Details lie in the page in packed blocks, and a block is unpacked when a row of it is first opened.

function node(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

const pill = (verdict, tones) => node("span", { class: "verdict", "data-tone": tones[verdict] ?? "" }, verdict);
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const count = (number) => whole.format(number);

const partOf = ([part, all]) => (all === null ? count(part) : `${count(part)} / ${count(all)}`);

const unpacked = new Map();
function block(id) {
  if (!unpacked.has(id)) {
    const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (letter) => letter.charCodeAt(0));
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    unpacked.set(id, new Response(plain).json());
  }
  return unpacked.get(id);
}
async function packedItem(name, size, index) {
  return (await block(`${name}-${Math.floor(index / size)}`))[index % size];
}

function testTable(side, tones) {
  if (!side.tests.length) return null;
  const kinds = ["number", null, "number", "number minor", "number minor", "text"];
  const row = (cell, parts) => node("tr", {}, ...parts.map((part, i) => node(cell, { class: kinds[i] }, part)));
  const head = row("th", ["Test", "Verdict", "CPU ms", "Wall ms", "MiB", "Why"]);
  const rows = side.tests.map(([index, verdict, cpu, wall, memory, rung, detail]) => row("td", [ String(index),
    pill(verdict, tones), cpu.toFixed(1), wall.toFixed(1), count(memory), detail || rung]));
  return node("section", {}, node("h3", {}, "Tests"),
    node("div", { class: "scroll" }, node("table", {}, node("thead", {}, head), node("tbody", {}, ...rows))),
    side.more_tests ? node("p", { class: "note" }, `${count(side.more_tests)} more tests are in grades.jsonl.`) : null);
}

function groupTable(side, tones) {
  if (!side.groups.length) return null;
  const row = (cell, parts) => node("tr", {}, ...parts.map((part, i) => node(cell, { class: i === 2 && "number" }, part)));
  const rows = side.groups.map(([name, verdict, points, most]) => row("td", [name, pill(verdict, tones), partOf([points, most])]));
  return node("section", {}, node("h3", {}, "Points"), node("div", { class: "scroll" },
    node("table", {}, node("thead", {}, row("th", ["Group", "Verdict", "Points"])), node("tbody", {}, ...rows))));
}

function program(text, total) {  // total: how long it is when only its beginning is here
  const copy = navigator.clipboard && node("button", { type: "button", onclick: async () => {
    await navigator.clipboard.writeText(text);
    copy.textContent = "Copied";
  } }, "Copy");
  const code = node("code");
  code.append(colouredLines(text.replace(/\r?\n$/, "")));
  return node("section", {}, node("div", { class: "bar" }, node("h3", {}, "Program"), copy),
    total
      ? node("p", { class: "note" }, `The first ${count(text.length)} of ${count(total)} characters.`) : null,
    node("pre", { class: "code", tabindex: "0", "aria-label": "Program" }, code));
}

async function sideOf(side, source, shown) {
  const same = side.code !== null && side.code === shown;
  const code = side.code === null || same ? null : await packedItem(`${source.name}-code`, source.block, side.code);
  const passed = side.total ? `${count(side.passed)} of ${count(side.total)} tests passed` : "";
  return node("article", {},
    node("p", { class: "outcome" }, side.name && node("strong", {}, side.name), pill(side.verdict, source.tones), passed),
    groupTable(side, source.tones),
    side.detail ? node("pre", { class: "difference" }, side.detail) : null,
    ...side.notes.map((note) => node("p", { class: "note" }, note)),
    code ? program(...code) : node("p", { class: "note" }, same ? "The same program." : "There is no program."),
    testTable(side, source.tones));
}

// A sheet for the rows of one explorer. `neighbour(row, step)` gives the row before or after it as it is listed now.
function sheet(source, neighbour, closed) {
  const title = node("h2", { tabindex: "-1" }), place = node("span", { class: "note" }), body = node("div", { class: "sides" });
  const step = (by) => {
    const row = neighbour(current, by).row;
    if (row !== undefined) location.replace(`#${source.name}/${row}`);
  };
  const previous = node("button", { type: "button", "aria-label": "Previous", onclick: () => step(-1) }, "←");
  const following = node("button", { type: "button", "aria-label": "Next", onclick: () => step(1) }, "→");
  const close = node("button", { type: "button", onclick: () => dialog.close() }, "Close");
  const dialog = node("dialog", { "aria-label": "Details" },
    node("div", { class: "bar head" }, title, node("span", { class: "buttons" }, place, previous, following, close)), body);
  let current = null;
  dialog.addEventListener("close", () => { const row = current; current = null; closed(row); });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const scrolled = event.target.closest("pre, .scroll");
    const by = { j: 1, k: -1, ...(scrolled ? {} : { ArrowRight: 1, ArrowLeft: -1 }) }[event.key];
    if (by) { event.preventDefault(); step(by); }
  });
  document.body.append(dialog);
  return {
    close: () => dialog.close(),
    async open(row) {
      current = row;
      title.replaceChildren(...source.rows[row].slice(0, 2).flatMap((part, i) => (i ? [" / ", part] : [part])));
      const around = [neighbour(row, -1), neighbour(row, 1)];
      [previous.disabled, following.disabled] = around.map((other) => other.row === undefined);
      place.textContent = around[0].at === null ? "" : `${count(around[0].at + 1)} of ${count(around[0].of)}`;
      if (!dialog.open) { dialog.showModal(); title.focus(); }
      const detail = await packedItem(`${source.name}-details`, source.block, row);
      const sides = await Promise.all(detail.map((side, i) => sideOf(side, source, detail[i - 1]?.code)));
      if (current !== row) return;
      body.replaceChildren(...sides);
      body.dataset.row = row;
      dialog.scrollTop = 0;
    },
  };
}
