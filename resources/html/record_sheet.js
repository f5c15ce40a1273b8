"use strict";
for (const element of document.querySelectorAll(".scripted")) element.hidden = false;

function mark(element) {
  const range = document.createRange();
  range.selectNodeContents(element);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}

function copyMarked(element) {
  mark(element);
  try { return document.execCommand("copy"); } catch (error) { return false; }
}

for (const button of document.querySelectorAll("button.copy")) {
  const line = button.closest(".credit").querySelector(".line");
  const message = button.parentElement.querySelector(".copied");
  button.setAttribute("aria-description", line.innerText);
  button.addEventListener("click", async () => {
    let done = false;
    try {
      await navigator.clipboard.writeText(line.innerText);
      done = true;
    } catch (error) {
      done = copyMarked(line);
    }
    message.textContent = done ? message.dataset.done : message.dataset.failed;
    if (!done) mark(line);
  });
}

const list = document.getElementById("records");
if (list) {
  const rows = Array.from(list.rows);
  const headers = Array.from(list.parentElement.tHead.rows[0].cells);
  const rank = (row, column) => Number(row.dataset.ranks.split(" ")[column]);

  // cells without anything come last, whichever way the others are sorted
  const compare = (column, sign) => (first, second) => {
    const one = rank(first, column), other = rank(second, column);
    if (one === other) return rank(first, 0) - rank(second, 0);
    return one < 0 ? 1 : other < 0 ? -1 : sign * (one - other);
  };

  headers.forEach((header, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener("click", () => {
      const ascending = header.getAttribute("aria-sort") !== "ascending";
      for (const other of headers) other.removeAttribute("aria-sort");
      header.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      list.append(...rows.sort(compare(column, ascending ? 1 : -1)));
    });
  });

  const plain = (text) => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const texts = new Map(rows.map((row) => [row, plain(Array.from(row.cells, (cell) => cell.textContent).join(" "))]));
  const field = document.getElementById("filter"), shown = document.getElementById("shown");
  const filter = () => {
    const words = plain(field.value).split(/\s+/).filter(Boolean);
    let count = 0;
    for (const row of rows) {
      row.hidden = !words.every((word) => texts.get(row).includes(word));
      if (!row.hidden) count += 1;
    }
    shown.textContent = shown.dataset.words.replace("{shown}", count).replace("{total}", rows.length);
  };
  field.addEventListener("input", filter);
  filter();
}
