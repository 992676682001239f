// A table in pages, with search, filters, sorting, and a sheet of details for each row.

const ROWS_A_PAGE = 50;
const natural = new Intl.Collator("en", { numeric: true });

const comparable = (value) => (Array.isArray(value) ? (value[1] === null ? value[0] : value[1] ? value[0] / value[1] : -1) : value);
function compare(a, b) {
  if (a === b) return 0;
  if (a === null || a === "") return 1;  // empty cells come last, in either direction
  if (b === null || b === "") return -1;
  return typeof a === "number" ? a - b : natural.compare(a, b);
}

// The name of a file in its parts: where it is too long, its line breaks between them and not inside a word.
function withBreaks(name) {
  return String(name).split(/(?<=[\/_.:#])(?=[^\/_.:#])/).flatMap((part, i) => (i ? [node("wbr"), part] : [part]));
}

function cellOf(value, column, tones) {
  if (value === null || value === "") return "";
  if (column.kind === "verdict") return pill(value, tones);
  if (column.kind === "share") return partOf(value);
  if (column.kind === "percent") return `${(100 * value).toFixed(0)} %`;
  if (column.kind === "points") return `${value > 0 ? "+" : ""}${(100 * value).toFixed(0)}`;
  if (column.kind === "id") return node("span", { class: "name" }, ...withBreaks(value));
  return column.kind === "number" ? count(value) : value;
}

function explorer(home) {
  const source = { name: home.dataset.explorer, ...JSON.parse(document.getElementById(home.dataset.explorer).textContent) };
  const { columns, rows, tones } = source;
  const filters = new Map();
  const verdict = columns.findIndex((column) => column.kind === "verdict");
  const carrier = verdict < 0 ? 1 : verdict;  // the column under which a phone shows the values of hidden columns
  let terms = [], sort = null, falling = false, listed = [], first = 0, haystack = null, place = null;

  const search = node("input", { type: "search", placeholder: `Search ${source.noun}  ( / )`, "aria-label": "Search",
    autocomplete: "off", spellcheck: "false",
    oninput: () => { terms = search.value.toLowerCase().split(/\s+/).filter(Boolean); update(); } });
  const choices = columns.flatMap((column, i) => (column.filter ? [choice(column, i)] : []));
  const status = node("p", { class: "note", role: "status" });
  const only = node("button", { type: "button", class: "only", hidden: true, onclick: () => {
    filters.delete(0);
    only.hidden = true;
    history.replaceState(null, "", location.pathname + location.search);
    update();
  } });
  const showOnly = () => {  // #only/submissions/5: the rows whose first cell is that of row 5
    const [word, name, row] = location.hash.slice(1).split("/");
    if (word !== "only" || name !== source.name || !rows[row]) return;
    filters.set(0, rows[row][0]);
    only.textContent = `Only ${filters.get(0)} ✕`;
    only.hidden = false;
    update();
    home.scrollIntoView({ block: "start" });
  };
  addEventListener("hashchange", showOnly);
  queueMicrotask(showOnly);
  const headings = columns.map((column, i) => node("th",
    { class: cellClass(column), "aria-sort": "none" }, node("button", { type: "button", onclick: () => order(i) }, column.title)));
  const body = node("tbody");
  const older = node("button", { type: "button", onclick: () => turn(-ROWS_A_PAGE) }, "← Previous");
  const newer = node("button", { type: "button", onclick: () => turn(ROWS_A_PAGE) }, "Next →");
  const pages = node("span", { class: "note" });
  home.replaceChildren(
    node("div", { class: "filters", role: "search" }, search, ...choices, only), status,
    node("div", { class: "scroll" }, node("table", {}, node("thead", {}, node("tr", {}, ...headings)), body)),
    node("nav", { class: "pages", "aria-label": "Pages" }, older, pages, newer));

  function cellClass(column) {
    const right = ["number", "share", "percent", "points"].includes(column.kind);
    return [right && "number", column.minor && "minor", ["text", "id", "word"].includes(column.kind) && column.kind].filter(Boolean).join(" ") || null;
  }

  function under(row) {  // the values that a phone shows below another column
    return columns.flatMap((column, i) => (column.under && row[i] !== null && row[i] !== ""
      ? [node("span", { class: "under" }, cellOf(row[i], column, tones), ` ${column.under}`)] : []));
  }

  function choice(column, i) {
    const counts = new Map();
    for (const row of rows) counts.set(row[i] ?? "", (counts.get(row[i] ?? "") ?? 0) + 1);
    const values = [...counts.keys()].filter((value) => value !== "").sort(compare);
    return node("select", { "aria-label": column.title, onchange: (event) => {
      event.target.selectedIndex ? filters.set(i, values[event.target.selectedIndex - 1]) : filters.delete(i);
      update();
    } }, node("option", {}, `${column.title}: all`),
    ...values.map((value) => node("option", {}, `${value} (${count(counts.get(value))})`)));
  }

  function order(i) {
    [sort, falling] = sort !== i ? [i, false] : falling ? [null, false] : [i, true];
    headings.forEach((heading, j) => heading.setAttribute("aria-sort",
      j !== sort ? "none" : falling ? "descending" : "ascending"));
    update();
  }

  function update() {
    if (terms.length && !haystack) haystack = rows.map((row) => row.join("\n").toLowerCase());
    listed = [];
    for (let i = 0; i < rows.length; i++) {
      if (terms.every((term) => haystack[i].includes(term))
          && [...filters].every(([column, value]) => rows[i][column] === value)) listed.push(i);
    }
    if (sort !== null) {
      const keys = rows.map((row) => comparable(row[sort]));
      const empty = (row) => keys[row] === null || keys[row] === "";
      listed.sort((a, b) => (falling && !empty(a) && !empty(b) ? compare(keys[b], keys[a]) : compare(keys[a], keys[b])) || a - b);
    }
    place = null;
    first = 0;
    show();
  }

  function show() {
    const noun = rows.length === 1 ? source.noun.replace(/s$/, "") : source.noun;
    status.textContent = listed.length === rows.length ? `${count(rows.length)} ${noun}`
      : `${count(listed.length)} of ${count(rows.length)} ${noun}`;
    body.replaceChildren(...listed.slice(first, first + ROWS_A_PAGE).map((row) => node("tr", { "data-row": row },
      ...columns.map((column, i) => {
        const shown = cellOf(rows[row][i], column, tones);
        const opens = i === 0 && source.block;
        const whole = column.kind === "id" || column.kind === "word" ? rows[row][i] : null;  // a cell may show its beginning only
        return node("td", { class: cellClass(column), title: whole }, opens ? node("a", { href: `#${source.name}/${row}` }, shown) : shown,
          ...(i === carrier ? under(rows[row]) : []));
      }))));
    const last = Math.max(1, Math.ceil(listed.length / ROWS_A_PAGE));
    pages.textContent = `Page ${count(first / ROWS_A_PAGE + 1)} of ${count(last)}`;
    older.disabled = first === 0;
    newer.disabled = first + ROWS_A_PAGE >= listed.length;
    older.parentElement.hidden = last === 1;
  }

  function turn(by) {
    first += by;
    show();
    home.scrollIntoView({ block: "start" });
  }

  function neighbour(row, by) {
    place ??= new Map(listed.map((listedRow, at) => [listedRow, at]));
    const at = place.get(row) ?? null;
    return { row: at === null ? undefined : listed[at + by], at, of: listed.length };
  }

  function closed(row) {
    history.replaceState(null, "", location.pathname + location.search);
    const at = neighbour(row, 0).at;
    if (at !== null && (at < first || at >= first + ROWS_A_PAGE)) {
      first = at - (at % ROWS_A_PAGE);
      show();
    }
    body.querySelector(`tr[data-row="${row}"] a`)?.focus();
  }

  if (source.block) {
    const details = sheet(source, neighbour, closed);
    const follow = () => {
      const [name, row] = location.hash.slice(1).split("/");
      if (name === source.name && rows[row]) details.open(Number(row));
      else details.close();
    };
    addEventListener("hashchange", follow);
    body.addEventListener("click", (event) => {
      const row = event.target.closest("tr")?.dataset.row;
      if (row !== undefined && !event.target.closest("a") && !String(getSelection())) location.hash = `${source.name}/${row}`;
    });
    queueMicrotask(follow);
  }
  body.addEventListener("keydown", (event) => {
    const by = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
    const link = by && event.target.closest("tr")?.[by]?.querySelector("a");
    if (link) { event.preventDefault(); link.focus(); }
  });
  addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, select, textarea, dialog");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) { event.preventDefault(); search.focus(); }
  });
  update();
}

document.querySelectorAll("[data-explorer]").forEach(explorer);
