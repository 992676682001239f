// The sheet with one row's details: its verdict, its first difference, its program, its tests.
// Details are in the page in compressed blocks. A block is unpacked when a row of it is first opened.

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

const LONG_LINES = 14;

// A part of a text, with its place in the whole. Of a long part only some lines are shown until the reader asks for all.
function excerpt(title, kept, lines) {
  const [text, start, size] = kept;
  const rows = lines ?? text.replace(/\r?\n$/, "").split("\n").map((line) => node("span", { class: "row" }, line));
  const note = text.length < size && start + text.length !== size || start > 0
    ? `characters ${count(start + 1)} to ${count(start + text.length)} of ${count(size)}; all: eval show --complete` : "";
  const long = rows.length > LONG_LINES;
  const firstMarked = rows.findIndex((row) => row.classList.contains("differs"));
  const from = long ? Math.max(0, Math.min(firstMarked - 4, rows.length - LONG_LINES)) : 0;
  const box = node("pre", { class: "kept", tabindex: "0", "aria-label": title });
  const put = (begin, end) => box.replaceChildren(...rows.slice(begin, end));
  const more = !long ? null : node("button", { type: "button", onclick: () => { put(0, rows.length); more.remove(); } },
    `Show all ${count(rows.length)} lines`);
  put(from, long ? from + LONG_LINES : rows.length);
  if (!text) box.replaceChildren(node("span", { class: "note" }, "(nothing)"));
  return node("div", {}, node("div", { class: "bar" }, node("h4", {}, title), note && node("span", { class: "note" }, note), more), box);
}

// The lines of one text. In a line that differs from the other text's, the first to the last difference is marked.
function markedLines(text, other) {
  const [mine, theirs] = [text, other].map((all) => all.replace(/\r?\n$/, "").split("\n"));
  return mine.map((line, i) => {
    const against = theirs[i];
    if (line === against) return node("span", { class: "row" }, line);
    if (against === undefined) return node("span", { class: "row differs" }, node("mark", {}, line));
    let start = 0, end = 0;
    while (start < Math.min(line.length, against.length) && line[start] === against[start]) start++;
    while (end < Math.min(line.length, against.length) - start && line.at(-1 - end) === against.at(-1 - end)) end++;
    return node("span", { class: "row differs" }, line.slice(0, start),
      node("mark", {}, line.slice(start, line.length - end) || "∅"), end ? line.slice(line.length - end) : "");
  });
}

function failure(test, labels) {
  const [given, expected, got] = labels.map((label) => label[0].toUpperCase() + label.slice(1));
  const both = test.expected && test.actual;
  const sides = both ? [
    excerpt(expected, test.expected, markedLines(test.expected[0], test.actual[0])),
    excerpt(got, test.actual, markedLines(test.actual[0], test.expected[0])),
  ] : [test.expected && excerpt(expected, test.expected), test.actual && excerpt(got, test.actual)];
  return node("section", { class: "failure" }, node("h3", {}, `Test ${test.index}`),
    test.given && excerpt(given, test.given),
    node("div", { class: "two" }, ...sides),
    test.stderr && excerpt("stderr, its end", test.stderr));
}

function folded(title, kept) {
  return kept && node("details", {}, node("summary", {}, title), excerpt("", kept));
}

// The lines of a program that are not in the other one, by a longest common subsequence; none for very long programs.
function ownLines(code, other) {
  const [mine, theirs] = [code, other].map((text) => text.replace(/\r?\n$/, "").split(/\r?\n/));
  if (mine.length * theirs.length > 4e6) return new Set();
  const width = theirs.length + 1, best = new Uint16Array((mine.length + 1) * width);
  for (let i = mine.length - 1; i >= 0; i--)
    for (let j = theirs.length - 1; j >= 0; j--)
      best[i * width + j] = mine[i] === theirs[j] ? best[(i + 1) * width + j + 1] + 1
        : Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
  const own = new Set();
  for (let i = 0, j = 0; i < mine.length; i++) {
    while (j < theirs.length && mine[i] !== theirs[j] && best[i * width + j + 1] >= best[(i + 1) * width + j]) j++;
    if (j < theirs.length && mine[i] === theirs[j]) j++;
    else own.add(i);
  }
  return own;
}

function program(text, total, failing, own) {  // total: the length of the whole program, when text is only its beginning
  const copy = navigator.clipboard && node("button", { type: "button", onclick: async () => {
    await navigator.clipboard.writeText(text);
    copy.textContent = "Copied";
  } }, "Copy");
  const code = node("code");
  code.append(colouredLines(text.replace(/\r?\n$/, "")));
  code.children[failing - 1]?.classList.add("failing");
  for (const line of own ?? []) code.children[line]?.classList.add("own");
  return node("section", {}, node("div", { class: "bar" }, node("h3", {}, "Program"), copy),
    total
      ? node("p", { class: "note" }, `The first ${count(text.length)} of ${count(total)} characters.`) : null,
    failing ? node("p", { class: "note" }, `Line ${count(failing)} failed.`) : null,
    node("pre", { class: "code", tabindex: "0", "aria-label": "Program" }, code));
}

const SIGNS = new Map(Object.entries({ le: "≤", leq: "≤", leqslant: "≤", ge: "≥", geq: "≥", geqslant: "≥", ne: "≠", neq: "≠", lt: "<",
  gt: ">", times: "×", cdot: "·", ldots: "…", dots: "…", cdots: "⋯", in: "∈", sum: "∑", to: "→", rightarrow: "→", infty: "∞",
  oplus: "⊕", pm: "±", lfloor: "⌊", rfloor: "⌋", lceil: "⌈", rceil: "⌉", left: "", right: "", pi: "π", alpha: "α", beta: "β" }));
const MATH = /(\$\$[^$]+\$\$|\$(?! )[^$]*[^$ ]\$(?!\d))/;

// A formula of TeX: common signs, and what is raised or lowered. The rest stays as it is written.
function formula(text) {
  const words = text.replace(/^\$+|\$+$/g, "").replace(/\\(?:text|math(?:rm|bf|it|tt)|operatorname)\{([^{}]*)\}/g, "$1");
  const plain = words.replace(/\\([a-zA-Z]+)/g, (written, name) => SIGNS.get(name) ?? written)
    .replace(/\\([,;:! {}%_])/g, (_, sign) => (/[,;:! ]/.test(sign) ? " " : sign));
  const parts = plain.split(/([_^](?:\{[^{}]*\}|[^\s{}\\]))/);
  return node("span", {}, ...parts.map((part) => (!/^[_^]/.test(part) ? part
    : node(part[0] === "^" ? "sup" : "sub", {}, part.slice(1).replace(/^\{|\}$/g, "")))));
}

// Headings, lists, code and paragraphs of Markdown, as elements that hold text only. Lines of a paragraph stay lines,
// except where their writer wrapped them.
function prose(text) {
  const made = [];
  let code = null, before = "";
  const isWrapped = (line) => /^.{60,130}$/.test(line) && !/[.:;!?|]\s*$/.test(line);
  const inline = (line) => line.split(/(`[^`]+`|\*\*[^*]+\*\*)/).flatMap((bit) => (/^`.+`$/.test(bit) ? node("code", {}, bit.slice(1, -1))
    : /^\*\*.+\*\*$/.test(bit) ? node("b", {}, bit.slice(2, -2))
      : bit.split(MATH).map((part, at) => (at % 2 ? formula(part) : part))));
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*```/.test(line)) {
      if (code === null) code = [];
      else { made.push(node("pre", { class: "kept" }, code.join("\n"))); code = null; }
    } else if (code !== null) code.push(line);
    else if (/^#{1,6}\s/.test(line)) made.push(node("h4", {}, line.replace(/^#+\s*/, "")));
    else if (/^\s*[-*]\s/.test(line)) made.push(node("p", { class: "item" }, "• ", ...inline(line.replace(/^\s*[-*]\s+/, ""))));
    else if (line.trim() && before.trim()) made.at(-1).append(...inline(isWrapped(before) ? ` ${line.trim()}` : `\n${line}`));
    else if (line.trim()) made.push(node("p", {}, ...inline(line)));
    before = code === null && !/^\s*```|^#{1,6}\s/.test(line) ? line : "";
  }
  if (code !== null) made.push(node("pre", { class: "kept" }, code.join("\n")));
  return node("div", { class: "prose" }, ...made);
}

function partOfDocument({ heading, kind, content, folded: closed }) {
  const cells = (cell, row) => node("tr", {}, ...row.map((part) => node(cell, { class: "text lines" }, String(part ?? ""))));
  let shown;
  if (kind === "prose") shown = prose(content);
  else if (kind === "code") { shown = node("pre", { class: "code" }, node("code", {}, colouredLines(content))); }
  else if (kind === "path") {
    shown = node("ol", { class: "path" }, ...content.map(([stage, rule, outcome, detail]) =>
      node("li", { "data-tone": { dropped: "bad", rejected: "bad", merged: "warn", changed: "accent", marked: "warn" }[outcome] ?? "good" },
        node("b", {}, stage), ` ${rule} `, node("span", { class: "verdict" }, outcome), detail ? node("span", { class: "note" }, ` ${detail}`) : "")));
  } else shown = node("div", { class: "scroll" }, node("table", {}, node("thead", {}, cells("th", content[0])),
    node("tbody", {}, ...content.slice(1).map((row) => cells("td", row)))));
  return closed ? node("details", {}, node("summary", {}, heading), shown) : node("section", {}, node("h3", {}, heading), shown);
}

async function sideOf(side, source, shown, compared) {
  if (side.parts) return node("article", {}, ...side.parts.map(partOfDocument));
  const same = side.code !== null && side.code === shown;
  const item = (kind, number) => packedItem(`${source.name}-${kind}`, source.block, number);
  const code = side.code === null || same ? null : await item("code", side.code);
  const statement = side.statement === null ? null : await item("statements", side.statement);
  const other = code && compared !== null && compared !== undefined && compared !== side.code ? await item("code", compared) : null;
  const fields = Object.entries(side.fields).map(([name, value]) => `${name} ${value}`).join(" · ");
  const passed = side.total ? `${count(side.passed)} of ${count(side.total)} tests passed` : "";
  return node("article", {},
    node("p", { class: "outcome" }, side.name && node("strong", {}, side.name), pill(side.verdict, source.tones), passed),
    fields ? node("p", { class: "note" }, fields) : null,
    groupTable(side, source.tones),
    side.detail ? node("pre", { class: "difference" }, side.detail) : null,
    ...side.failures.map((test) => failure(test, side.labels)),
    side.left_out ? node("p", { class: "note" }, "Inputs and outputs are not on this page, which is full: microcoder eval show") : null,
    ...(side.verdict === "NO_CODE" ? [] : side.notes).map((note) => node("p", { class: "note" }, `How the program was found: ${note}`)),
    code ? program(...code, side.failing, other && ownLines(code[0], other[0]))
      : node("p", { class: "note" }, same ? "The same program." : "There is no program."),
    side.code === null && side.reply ? excerpt("Reply, as it came", side.reply) : folded("Reply, as it came", side.reply),
    folded("Statement", statement),
    testTable(side, source.tones));
}

// A sheet for the rows of one table. `neighbour(row, step)` gives the row before or after it in the current order.
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
      const sides = await Promise.all(detail.map((side, i) => sideOf(side, source, detail[i - 1]?.code,
        detail.length === 2 ? detail[1 - i].code : null)));
      if (current !== row) return;
      body.replaceChildren(...sides);
      body.dataset.row = row;
      dialog.scrollTop = 0;
    },
  };
}
