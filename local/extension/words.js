// Localised texts of the extension: messages with values, and texts of page elements by name.

export function t(name, ...values) {
  return chrome.i18n.getMessage(name, values.map(String)) || name;
}

const ATTRIBUTES = { placeholder: "data-t-placeholder", title: "data-t-title", "aria-label": "data-t-label" };

export function speak(root = document) {
  document.documentElement.lang = t("tag");
  for (const place of root.querySelectorAll("[data-t]")) place.textContent = t(place.dataset.t);
  for (const [attribute, by] of Object.entries(ATTRIBUTES)) {
    for (const place of root.querySelectorAll(`[${by}]`)) place.setAttribute(attribute, t(place.getAttribute(by)));
  }
}
