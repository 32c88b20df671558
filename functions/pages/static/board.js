// The board: cards move by mouse or keyboard to columns that they have a form for. A refused move is undone.
"use strict";

const board = () => document.querySelector(".board");
const columns = () => [...document.querySelectorAll(".board .column")];
const nameOf = (column) => column.querySelector("[data-name]").textContent;
const formTo = (card, to) => card.querySelector(`form[data-to="${to}"]`);
let dragged = null;

// Only the script makes cards draggable: without it there is no drop target.
function ready() {
  for (const card of document.querySelectorAll(".board .task")) card.draggable = true;
}

function bring(card, to) {
  const column = columns().find((one) => one.dataset.column === to);
  if (!column || column.contains(card)) return;
  const form = formTo(card, to);
  if (!form) return tell(refusal(card, column));
  const asks = form.closest("details");
  if (!asks) return form.requestSubmit(form.querySelector("button"));
  asks.open = true; // this move needs a reason first
  form.querySelector("input:not([type=hidden]), button").focus();
  tell(board().dataset.why);
}

function refusal(card, column) {
  const can = columns().filter((one) => formTo(card, one.dataset.column)).map(nameOf);
  const { never, final, comma } = board().dataset;
  const filled = { from: nameOf(card.closest(".column")), to: nameOf(column), can: can.join(comma) };
  return (can.length ? never : final).replace(/\{(\w+)\}/g, (_, name) => filled[name]);
}

// A drag begins some pixels after the press: an update in between would replace the card and end the drag.
document.addEventListener("pointerdown", (event) => {
  const card = event.target.closest(".board .task");
  if (card) card.classList.add("held");
});

for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () => { for (const card of document.querySelectorAll(".held")) card.classList.remove("held"); });
}

document.addEventListener("dragstart", (event) => {
  dragged = event.target.closest ? event.target.closest(".board .task") : null;
  if (!dragged) return;
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", dragged.id);
  dragged.classList.add("dragged");
  for (const column of columns()) column.classList.toggle("may", Boolean(formTo(dragged, column.dataset.column)));
});

document.addEventListener("dragover", (event) => {
  const column = dragged && event.target.closest(".board .column");
  for (const one of columns()) one.classList.toggle("over", one === column && one.classList.contains("may"));
  if (column) event.preventDefault();
});

document.addEventListener("drop", (event) => {
  const column = dragged && event.target.closest(".board .column");
  if (!column) return;
  event.preventDefault();
  bring(dragged, column.dataset.column);
});

document.addEventListener("dragend", () => {
  if (dragged) dragged.classList.remove("dragged");
  dragged = null;
  for (const column of columns()) column.classList.remove("may", "over");
});

// ── move the card at once, and back if the move is refused ────────────────────────────────────────────────────────────

let before = null, moved = "";

document.addEventListener("sending", (event) => {
  const card = event.target.closest(".board .task");
  const column = card && columns().find((one) => one.dataset.column === event.target.dataset.to);
  if (!column || column.contains(card)) return;
  before = { card, parent: card.parentNode, next: card.nextSibling };
  moved = card.id.replace("task-", "open-");
  card.classList.add("going");
  column.querySelector(".cards").append(card);
});

document.addEventListener("refused", () => {
  if (!before) return;
  before.parent.insertBefore(before.card, before.next);
  before.card.classList.remove("going");
  before = null;
  tag = ""; looks = 0;
  look(); // the card may be in another column by now
});

document.addEventListener("shown", () => {
  before = dragged = null;
  ready();
  const link = moved && document.activeElement === document.body && document.getElementById(moved);
  if (link) link.focus({ preventScroll: true });
});

document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select, dialog[open]") || event.ctrlKey || event.metaKey || event.altKey) return;
  const column = /^[1-5]$/.test(event.key) && columns()[Number(event.key) - 1];
  const card = column && current();
  if (!card || !card.matches(".board .task")) return;
  event.preventDefault();
  bring(card, column.dataset.column);
});

ready();
