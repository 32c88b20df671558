// Options page: save the address and the token of Read→Do in this browser, and test them.

import { addressOf, patternOf, tried, Trouble } from "./readdo.js";
import { speak, t } from "./words.js";

const at = (id) => document.getElementById(id);

async function begin() {
  speak();
  at("where").onsubmit = (event) => { event.preventDefault(); test(); };
  at("forget").onclick = forget;
  const kept = await chrome.storage.local.get({ address: "", token: "" });
  // Do not overwrite what the user typed in the meantime.
  for (const name of ["address", "token"]) at(name).value ||= kept[name];
}

async function test() {
  say("", "");
  at("save").disabled = true;
  try {
    const address = addressOf(at("address").value), token = at("token").value.trim();
    // First, and without waiting: browsers allow permission requests only during a click.
    const allowed = await chrome.permissions.request({ origins: [patternOf(address)] });
    if (!allowed) throw new Trouble(t("not_allowed", address));
    await chrome.storage.local.set({ address, token });
    at("address").value = address;
    await tried({ address, token });
    say("well", t("works", address));
  } catch (trouble) {
    say("wrong", trouble instanceof Trouble ? trouble.message : t("unexpected", trouble.message));
  }
  at("save").disabled = false;
}

async function forget() {
  const { address } = await chrome.storage.local.get({ address: "" });
  await chrome.storage.local.clear();
  if (address) await chrome.permissions.remove({ origins: [patternOf(address)] }).catch(() => {});
  at("address").value = at("token").value = "";
  say("well", t("forgotten"));
}

function say(where, words) {
  for (const name of ["well", "wrong"]) {
    at(name).hidden = name !== where;
    at(name).textContent = name === where ? words : "";
  }
}

begin();
