// Popup: save the current page with an intent. Drafts survive closing the popup; a retry creates no second item.

import { contentOf } from "./page.js";
import { ask, CONTENT_MAX, refusal, settings, TITLE_MAX, Trouble } from "./readdo.js";
import { speak, t } from "./words.js";

const at = (id) => document.getElementById(id);
const FIELDS = ["why", "profile", "language"];
let tab, draft;

const place = () => `draft ${tab.url}`;

async function begin() {
  speak();
  at("capture").onsubmit = (event) => event.preventDefault(); // until there is something to save
  at("settle").onclick = at("mend").onclick = () => chrome.runtime.openOptionsPage();
  [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  at("title").textContent = tab.title || tab.url;
  if (!/^https?:/.test(tab.url || "")) return stop(new Trouble(t("no_page")));
  at("domain").textContent = new URL(tab.url).host;
  try {
    await fill(await settings());
  } catch (trouble) {
    stop(trouble);
  }
}

async function fill(kept) {
  const found = (await chrome.storage.session.get(place()))[place()];
  draft = found || { why: "", own: false, profile: kept.profile, language: kept.language, id: crypto.randomUUID() };
  // The popup has the focus before the settings and the draft are read, so the user may have typed or ticked already.
  draft = { ...draft, why: at("why").value || draft.why, own: at("own").checked || draft.own };
  for (const name of FIELDS) at(name).value = draft[name];
  at("own").checked = draft.own;
  at("more").open = Boolean(draft.language) || draft.profile !== "engineer";
  at("capture").oninput = note;
  at("capture").onsubmit = (event) => { event.preventDefault(); save(); };
  at("why").onkeydown = (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    at("capture").requestSubmit();
  };
  at("why").focus();
}

// Changed text needs a new capture id: with the id of a capture that may have arrived, the change would be lost.
function note() {
  for (const name of FIELDS) draft[name] = at(name).value;
  draft = { ...draft, own: at("own").checked, id: crypto.randomUUID() };
  chrome.storage.session.set({ [place()]: draft });
}

async function save() {
  if (at("save").disabled) return;
  wait(true);
  try {
    const kept = await settings(), sent = at("own").checked ? await ownContent() : { text: "", kept: 100 };
    const answer = await ask(kept, "POST", "/capture", wish(sent.text));
    if (answer.status !== 200 && answer.status !== 201) throw refusal(answer, kept.address);
    if (!answer.said.item || !answer.said.item.id) throw refusal(answer, kept.address);
    await chrome.storage.session.remove(place());
    await chrome.storage.local.set({ profile: at("profile").value, language: at("language").value.trim() });
    tell(answer.said, sent.kept, kept.address);
  } catch (trouble) {
    wrong(trouble);
  }
  wait(false);
}

async function ownContent() {
  let found;
  try {
    [found] = await chrome.scripting.executeScript({ target: { tabId: tab.id }, func: contentOf, args: [CONTENT_MAX] });
  } catch {
    throw new Trouble(t("own_refused"));
  }
  if (!found || !found.result || !found.result.text) throw new Trouble(t("own_empty"));
  return found.result;
}

function wish(content) {
  const language = at("language").value.trim(), title = [...(tab.title || "")].slice(0, TITLE_MAX).join("").toWellFormed();
  return {
    url: tab.url,
    title,
    intent_text: at("why").value,
    profile: at("profile").value,
    capture_id: draft.id,
    ...(language ? { language } : {}),
    ...(content ? { content } : {}),
  };
}

function tell({ item, joined }, part, address) {
  at("capture").hidden = at("wrong").hidden = at("mend").hidden = true;
  at("outcome").textContent = t(joined ? "joined" : "saved");
  at("note").textContent = [part < 100 ? t("cut", part) : "", joined ? noUse(item.status) : "", joined ? t("joined_for") : ""].filter(Boolean).join(" ");
  at("note").hidden = !at("note").textContent;
  const intents = joined ? item.intents : [at("why").value];
  at("intents").replaceChildren(...intents.map((words) => Object.assign(document.createElement("li"), { textContent: words })));
  at("open").href = `${address}/my/items/${item.id}`;
  at("done").hidden = false;
  at("done").focus();
}

// Joining changes neither a failed nor an archived item, so tell the user.
function noUse(status) {
  const name = `now_${status.split("_")[0]}`, words = t(name);
  return words === name ? "" : words;
}

function wrong(trouble) {
  at("wrong").textContent = trouble instanceof Trouble ? trouble.message : t("unexpected", trouble.message);
  at("mend").hidden = !trouble.settle;
  at("wrong").hidden = false;
}

function stop(trouble) {
  at("capture").hidden = true;
  wrong(trouble);
}

function wait(on) {
  at("save").disabled = on;
  at("save").textContent = t(on ? "saving" : "save");
  if (on) at("wrong").hidden = at("mend").hidden = true;
}

begin();
