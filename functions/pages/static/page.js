// Live updates and forms without reloads. Without this script every button is a plain form and works, too.
"use strict";

const said = document.getElementById("said").dataset;
const toast = document.getElementById("toast");
const main = () => document.getElementById("main");
const PAUSES = [1000, 1000, 1500, 2000, 3000, 5000]; // milliseconds between requests; longer while nothing changes
let looks = 0, tag = "", timer = 0, here = 0;

function tell(text) {
  toast.textContent = text;
  if (text) setTimeout(() => { if (toast.textContent === text) toast.textContent = ""; }, 8000);
}

// ── times in the browser's time zone ──────────────────────────────────────────────────────────────────────────────────

function localise(root) {
  const form = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  for (const time of root.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (!isNaN(at)) { time.textContent = form.format(at); time.title = at.toISOString(); }
  }
}

function count() {
  for (const since of document.querySelectorAll("[data-since]")) {
    const seconds = Math.max(0, Math.round((Date.now() - new Date(since.dataset.since)) / 1000));
    since.textContent = said.elapsed.replace("{n}", seconds);
  }
}

// ── replace the main part of the page ─────────────────────────────────────────────────────────────────────────────────

function opened() {
  return [...main().querySelectorAll("details[open]")].map((details) => details.id || details.className);
}

function show(text, { keep }) {
  const found = new DOMParser().parseFromString(text, "text/html");
  const fresh = found.getElementById("main");
  if (!fresh) return false;
  const open = keep ? opened() : [];
  const chosen = main().querySelector(".here"), focus = standing();
  if (keep) carry(fresh);
  main().replaceWith(document.adoptNode(fresh));
  for (const details of main().querySelectorAll("details")) if (open.includes(details.id || details.className)) details.open = true;
  document.title = found.title || document.title;
  if (keep) choose(chosen);
  stand(focus);
  hear(main().querySelector(".flash span"));
  begin();
  return true;
}

// Keep the keyboard focus: on the same link or button of the same row, or on the row that replaces a removed row.
const STOPS = "a[href], button, input, select, textarea, summary";

function standing() {
  const at = document.activeElement, home = at && at.closest("[id]");
  const place = home && home !== main() && main().contains(home) ? [home, ...home.querySelectorAll(STOPS)].indexOf(at) : -1;
  return place < 0 ? null : { id: home.id, place, words: at.textContent };
}

function stand(focus) {
  const home = focus && document.getElementById(focus.id);
  const same = home && [home, ...home.querySelectorAll(STOPS)][focus.place];
  const at = same && same.textContent === focus.words ? same : home && home.querySelector("a.open, a.edit"); // never focus another button
  if (at && at !== document.activeElement) at.focus({ preventScroll: true });
}

function choose(row) {
  if (!row) return;
  const all = rows(), place = all.findIndex((one) => one.id === row.id);
  if (place >= 0) { here = place; all[here].classList.add("here"); } else goTo(here);
}

// Screen readers do not announce replaced content, only changes of an existing live region.
function hear(told) { document.getElementById("heard").textContent = told ? told.textContent : ""; }

// Keep forms with input when the page is updated.
function carry(fresh) {
  for (const form of main().querySelectorAll(".capture, .export, .adding")) {
    const other = fresh.querySelector("." + form.className.split(" ")[0]);
    if (other && (form.contains(document.activeElement) || [...form.elements].some((f) => f.value !== f.defaultValue || f.checked !== f.defaultChecked))) other.replaceWith(form);
  }
}

// ── live updates: poll only while something is in progress, with ETags ────────────────────────────────────────────────

// Do not update the page while the user edits, drags or answers a question.
const inHand = () => document.hidden || main().querySelector("[data-keeps], .asks[open], .held, .dragged, .going");

async function look() {
  if (inHand()) return plan();
  try {
    const answer = await fetch(location.pathname + location.search, { headers: tag ? { "If-None-Match": tag } : {}, credentials: "same-origin" });
    if (answer.status === 304) { looks += 1; return plan(); }
    if (!answer.ok || answer.redirected) return plan();
    const text = await answer.text();
    if (inHand()) { tag = ""; looks = 0; return plan(); }
    const changed = tag && answer.headers.get("etag") !== tag;
    tag = answer.headers.get("etag") || "";
    if (changed || !looks) show(text, { keep: true });
    looks = changed ? 1 : looks + 1;
    if (toast.textContent === said.offline) tell("");
  } catch { tell(said.offline); looks += 1; }
  plan();
}

function plan() {
  clearTimeout(timer);
  if (main().hasAttribute("data-moving")) timer = setTimeout(look, PAUSES[Math.min(looks, PAUSES.length - 1)]);
}

// ── buttons: show the change at once, and undo it if the request fails ────────────────────────────────────────────────

const LEAVES = ["archive", "unarchive", "process", "retry", "ship"];

async function send(form, button) {
  const row = form.closest(".row");
  if (row && LEAVES.includes(form.dataset.do)) row.classList.add("leaving");
  form.dispatchEvent(new Event("sending", { bubbles: true }));
  if (button) { button.setAttribute("aria-busy", "true"); button.disabled = true; }
  try {
    const body = new URLSearchParams(new FormData(form));
    if (button && button.name) body.append(button.name, button.value);
    const answer = await fetch(form.action, { method: "POST", body, credentials: "same-origin" });
    const text = await answer.text();
    const page = new DOMParser().parseFromString(text, "text/html");
    const trouble = page.querySelector("[data-trouble] .wrong");
    if (trouble) throw new Error(trouble.textContent);
    if (!page.getElementById("main")) throw new Error(said.failed);
    free(button);
    if (answer.redirected) history[new URL(answer.url).pathname === location.pathname ? "replaceState" : "pushState"](null, "", answer.url);
    tag = ""; looks = 0;
    show(text, { keep: answer.redirected && !form.matches(".capture, .editing, .adding") });
    const wrong = main().querySelector(".wrong");
    if (wrong) { wrong.tabIndex = -1; wrong.focus(); }
  } catch (error) {
    tell(error instanceof TypeError ? said.failed : error.message);
    if (row) row.classList.remove("leaving");
    form.dispatchEvent(new Event("refused", { bubbles: true }));
    free(button);
  }
}

function free(button) {
  if (button) { button.removeAttribute("aria-busy"); button.disabled = false; }
}

// A small file is sent with the form, as without scripts. A large file is uploaded to the bucket, and then started.
async function bring(form, file) {
  const line = document.createElement("p"), bar = document.createElement("progress");
  line.className = "working";
  line.append(bar, ` ${form.dataset.sending}`);
  bar.setAttribute("aria-label", form.dataset.sending);
  line.setAttribute("role", "status");
  form.append(line);
  try {
    const fields = new FormData(form);
    fields.delete("file");
    const body = new URLSearchParams([...fields, ["filename", file.name], ["size", file.size]]);
    const answer = await fetch(form.action, { method: "POST", body, credentials: "same-origin" });
    const text = await answer.text();
    const place = new DOMParser().parseFromString(text, "text/html").querySelector("[data-upload]");
    if (!place) return void show(text, { keep: false });
    await put(place.dataset.upload, place.dataset.type, file, (share) => { bar.value = share; });
    await fetch(place.querySelector("form").action, { method: "POST", credentials: "same-origin" });
    location.assign(answer.url); // this page shows the status, also if the start failed
  } catch { tell(said.failed); }
  line.remove();
}

// XMLHttpRequest, because `fetch` reports no upload progress.
function put(place, type, file, far) {
  return new Promise((done, failed) => {
    const ask = new XMLHttpRequest();
    ask.open("PUT", place);
    ask.setRequestHeader("Content-Type", type);
    ask.upload.addEventListener("progress", (event) => far(event.loaded / event.total));
    ask.addEventListener("load", () => (ask.status < 300 ? done() : failed(new Error(said.failed))));
    ask.addEventListener("error", failed);
    ask.send(file);
  });
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.sentMax) {
    const file = form.elements.file.files[0];
    if (!file || file.size <= Number(form.dataset.sentMax)) return;
    event.preventDefault();
    if (form.dataset.busy) return;
    form.dataset.busy = "1";
    bring(form, file).finally(() => delete form.dataset.busy);
    return;
  }
  if (form.method !== "post" || form.action.endsWith("/my/settings") || form.action.endsWith("/leave") || form.action.endsWith("/enter")) return;
  event.preventDefault();
  if (form.dataset.busy) return;
  form.dataset.busy = "1";
  send(form, event.submitter).finally(() => delete form.dataset.busy);
});

window.addEventListener("popstate", async () => {
  const answer = await fetch(location.href, { credentials: "same-origin" });
  if (!show(await answer.text(), { keep: false })) location.reload();
});

// ── keyboard shortcuts ────────────────────────────────────────────────────────────────────────────────────────────────

const rows = () => [...main().querySelectorAll(".row, .task")].filter((row) => row.offsetParent);

function goTo(place) {
  const all = rows();
  if (!all.length) return;
  here = Math.max(0, Math.min(all.length - 1, place));
  all.forEach((row, n) => row.classList.toggle("here", n === here));
  all[here].querySelector("a.open").focus({ preventScroll: true });
  all[here].scrollIntoView({ block: "nearest" });
}

function current() {
  const focused = document.activeElement && document.activeElement.closest(".row, .task");
  return focused || main().querySelector(".here") || main().querySelector(".item");
}

function press(name) {
  const place = current();
  const form = place && place.querySelector(`form[data-do="${name}"]`);
  if (form) form.requestSubmit(form.querySelector("button"));
  else if (place || rows().length) tell(place ? said.cannot : said.choose);
}

const KEYS = {
  j: () => goTo(main().querySelector(".here") ? here + 1 : 0),
  k: () => goTo(here - 1),
  o: () => { const place = current(), link = place && place.querySelector("a.open, a[data-source]"); if (link) link.click(); },
  e: () => press("export"),
  a: () => press("archive"),
  r: () => press("retry"),
  t: () => { const tasks = document.querySelector('.top a[href$="/my/tasks"]'); if (tasks) tasks.click(); },
  "/": () => document.getElementById("q") && document.getElementById("q").focus(),
  "?": () => document.getElementById("help").showModal(),
};

document.addEventListener("keydown", (event) => {
  const writes = event.target.closest("input, textarea, select, dialog[open]");
  if (event.key === "Escape" && event.target.id === "q") event.target.blur();
  if (writes || event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
});

// Enter moves from a link to the next field. In a text it adds a line break.
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.id === "source" && !event.shiftKey && !event.target.value.includes("\n")) {
    event.preventDefault();
    document.getElementById("intent_text").focus();
  }
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.form) event.target.form.requestSubmit();
});

// "Pause when I leave": the choice lasts until the page is left. One request, as good as it gets.
let pauseOnLeave = "";
document.addEventListener("change", (event) => {
  if (event.target.dataset.pauseOnLeave) pauseOnLeave = event.target.checked ? event.target.dataset.pauseOnLeave : "";
});
window.addEventListener("pagehide", () => { if (pauseOnLeave) navigator.sendBeacon(pauseOnLeave, new URLSearchParams()); });

document.addEventListener("click", (event) => { if (event.target.closest("[data-bookmarklet]")) event.preventDefault(); });

// Warn before unsaved input is lost.
let leaving = false;
document.addEventListener("click", (event) => { if (event.target.closest("[data-cancel]")) leaving = true; });
window.addEventListener("beforeunload", (event) => {
  const written = [...main().querySelectorAll("[data-keeps] textarea, [data-keeps] input")].some((f) => f.value !== f.defaultValue);
  if (written && !leaving) event.preventDefault();
});

// Show the message of an action once: remove it from the URL, and after a while from the page.
function forget() {
  const kept = new URL(location.href);
  if (!kept.searchParams.has("done")) return;
  kept.searchParams.delete("done");
  kept.searchParams.delete("of");
  history.replaceState(null, "", kept);
  const flash = main().querySelector(".flash");
  if (flash && !flash.contains(document.activeElement)) flash.remove();
}

function begin() {
  localise(main());
  count();
  const pausing = main().querySelector("[data-pause-on-leave]");
  if (pausing) pausing.checked = Boolean(pauseOnLeave); else pauseOnLeave = "";
  plan();
  setTimeout(forget, 10000);
  document.dispatchEvent(new Event("shown"));
}

setInterval(count, 1000);
document.addEventListener("visibilitychange", () => { if (!document.hidden) { looks = 0; plan(); } });
begin();
