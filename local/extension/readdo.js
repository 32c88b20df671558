// Client of the API: settings, permissions, requests and error messages.

import { t } from "./words.js";

export const CONTENT_MAX = 400000, TITLE_MAX = 300;
const LOOPBACK = ["127.0.0.1", "localhost"];

export class Trouble extends Error {
  constructor(words, { settle = false } = {}) {
    super(words);
    this.settle = settle; // the settings page can solve it
  }
}

export async function settings() {
  const kept = await chrome.storage.local.get({ address: "", token: "", profile: "engineer", language: "" });
  if (!kept.address || !kept.token) throw new Trouble(t("unset"), { settle: true });
  return kept;
}

// Accept the address of any page of Read→Do, too: users often copy it.
export function addressOf(text) {
  const given = text.trim();
  const named = /^[a-z]+:\/\//i.test(given) ? given : `${LOOPBACK.some((host) => given.startsWith(host)) ? "http" : "https"}://${given}`;
  if (!given || !URL.canParse(named)) throw new Trouble(t("address_none"));
  const url = new URL(named);
  if (url.protocol !== "https:" && url.protocol !== "http:") throw new Trouble(t("address_none"));
  if (url.protocol === "http:" && !LOOPBACK.includes(url.hostname)) throw new Trouble(t("address_open", url.hostname));
  return url.origin + url.pathname.replace(/\/my(\/.*)?$/, "").replace(/\/+$/, "");
}

// The permission pattern of this address. Patterns contain no port.
export function patternOf(address) {
  const url = new URL(address);
  return `${url.protocol}//${url.hostname}/*`;
}

export async function ask({ address, token }, method, path, body) {
  if (!(await chrome.permissions.contains({ origins: [patternOf(address)] }))) throw new Trouble(t("not_allowed", address), { settle: true });
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  let answer, text;
  try {
    answer = await fetch(address + path, { method, headers, body: JSON.stringify(body), credentials: "omit", redirect: "error" });
    text = await answer.text();
  } catch {
    throw new Trouble(t("no_answer", address), { settle: true });
  }
  return { status: answer.status, said: read(text) };
}

function read(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

// Responses without an error code come from another server.
export function refusal({ status, said }, address) {
  const error = said.error;
  if (!error || !error.code) return new Trouble(t("stranger", address, status), { settle: true });
  const name = `error_${error.code}`, lead = t(name);
  const words = lead === name ? t("error_other") : lead;
  const request = error.details && error.details.request_id;
  const own = error.message + (request ? ` (${request})` : "");
  return new Trouble(`${words} ${own}`, { settle: status === 401 || status === 403 });
}

// Test write access with an empty capture, which is rejected with 400 and saves nothing.
export async function tried(kept) {
  const answer = await ask(kept, "POST", "/capture", {});
  if (answer.status !== 400 || !answer.said.error) throw refusal(answer, kept.address);
}
