"use strict";
(() => {
  const table = document.querySelector("#cards table");
  const body = table.tBodies[0];
  const rows = [...body.rows];

  // A click on a title sorts by that column, largest first, then smallest first.
  const key = (row, i) => {
    const cell = row.cells[i];
    return cell.dataset.v === undefined ? cell.textContent.trim() : Number(cell.dataset.v);
  };
  function sort_by(head, i) {
    const up = head.getAttribute("aria-sort") === "descending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const order = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(b));
    body.append(
      ...[...body.rows].sort((one, other) => {
        const [a, b] = [key(one, i), key(other, i)];
        if (a === "" || b === "") return (a === "") - (b === "");
        return (up ? 1 : -1) * order(a, b);
      })
    );
  }
  [...table.tHead.rows[0].cells].forEach((head, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => sort_by(head, i));
  });

  // Filters: the words that rows have.
  const words = (row, name) => row.dataset[name].split(",").filter(Boolean);
  const filters = [...document.querySelectorAll("[data-filter]")];
  function show() {
    for (const row of rows) row.hidden = filters.some(({ dataset, value }) => value && !words(row, dataset.filter).includes(value));
    const shown = rows.filter((row) => !row.hidden).length;
    document.getElementById("shown").textContent = shown < rows.length ? `${shown} of ${rows.length} cards` : "";
  }
  for (const filter of filters) {
    const all = new Set(rows.flatMap((row) => words(row, filter.dataset.filter)));
    filter.append(...[...all].sort().map((word) => new Option(word)));
    filter.addEventListener("change", show);
  }
  document.getElementById("filters").hidden = false;

  // Two to six cards can be compared.
  const button = document.querySelector("[type=submit]");
  function count() {
    const chosen = rows.filter((row) => row.querySelector("input").checked).length;
    button.disabled = chosen < 2 || chosen > 6;
    document.getElementById("chosen").textContent = chosen ? `${chosen} chosen; choose two to six.` : "Choose two to six.";
  }
  body.addEventListener("change", count);
  count();
  show();
})();
