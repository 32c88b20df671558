// Extract the visible content of a page: no scripts, styles, hidden elements or form input.
// Runs in the page itself, only after a click, so it can use no code outside of this function.

export function contentOf(limit) {
  const LEFT_OUT = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "LINK", "IFRAME", "FRAME", "OBJECT", "EMBED", "CANVAS", "SVG", "VIDEO", "AUDIO",
    "INPUT", "TEXTAREA", "SELECT", "BUTTON", "DIALOG"]);
  const KEPT = ["href", "src", "alt", "title", "lang", "datetime", "class", "id", "role", "itemprop", "property", "name", "content", "colspan", "rowspan"];
  const HEAD = new Set(["TITLE", "META"]);
  const made = document.implementation.createHTMLDocument("");

  function isSeen(element) {
    const style = getComputedStyle(element);
    return style.display !== "none" && style.visibility !== "hidden" && style.contentVisibility !== "hidden";
  }

  function childrenOf(node) {
    if (node.shadowRoot) return node.shadowRoot.childNodes;
    if (node.localName === "slot" && node.assignedNodes().length) return node.assignedNodes();
    return node.childNodes;
  }

  function bare(element) {
    const name = /^[a-z][a-z0-9]*$/.test(element.localName) && element.localName !== "slot" ? element.localName : "div";
    const copied = made.createElement(name);
    for (const attribute of KEPT) {
      const value = element.getAttribute(attribute);
      if (value && value.length <= 2000 && !value.startsWith("data:") && !value.startsWith("javascript:")) copied.setAttribute(attribute, value);
    }
    return copied;
  }

  function copy(node, into) {
    for (const child of childrenOf(node)) {
      if (child.nodeType === Node.TEXT_NODE) into.append(child.data);
      if (child.nodeType !== Node.ELEMENT_NODE || LEFT_OUT.has(child.tagName.toUpperCase())) continue;
      if (child.isContentEditable || !isSeen(child)) continue;
      const copied = bare(child);
      into.append(copied);
      copy(child, copied);
    }
  }

  function headOf() {
    const head = made.createElement("head");
    for (const child of document.head ? document.head.children : []) {
      if (!HEAD.has(child.tagName)) continue;
      const copied = bare(child);
      copied.textContent = child.textContent;
      head.append(copied);
    }
    return head;
  }

  const root = made.createElement("html");
  if (document.documentElement.lang) root.setAttribute("lang", document.documentElement.lang);
  root.append(headOf(), made.createElement("body"));
  copy(document.body || document.documentElement, root.lastChild);
  const text = (root.lastChild.textContent || "").trim(), whole = root.outerHTML.toWellFormed();
  if (whole.length <= limit) return { text: text ? whole : "", kept: 100 };
  // Longer than the limit: cut after the last paragraph that fits.
  const part = whole.slice(0, limit), end = part.lastIndexOf("</p>");
  const cut = end > limit / 2 ? part.slice(0, end + 4) : part.slice(0, Math.max(part.lastIndexOf("<"), limit / 2));
  return { text: cut.toWellFormed(), kept: Math.max(1, Math.floor((100 * cut.length) / whole.length)) };
}
