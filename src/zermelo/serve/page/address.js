// Addresses in this page: #/GAME/VIEW?parameter=value&~exact=true&~at=1,2,3.

import { whole } from "./dom.js";

// Goes to an address in this page, at once: `hashchange` would come after answers that the view that is left waits for.
export function visit(address) {
  try {
    if (location.hash !== address) history.pushState(null, "", address);
  } catch { /* a frame without an address of its own, as in notebooks */ }
  dispatchEvent(new CustomEvent("visit", { detail: address }));
}

let shown = location.hash; // the address whose page is shown

export function arrived() {
  shown = location.hash;
}

// The address of what is shown, so that it can be kept and sent; unless another one was entered, of which `hashchange` is about to tell.
export function remember(address) {
  if (location.hash !== shown) return;
  try {
    history.replaceState(null, "", address);
  } catch { /* a frame without an address of its own */ }
  arrived();
}

export function parsed(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [word = "", view = ""] = path.split("/").map(decoded);
  const parameters = {}, options = {};
  let at = null;
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === "~at") at = value.split(",").map(whole);
    else if (name.startsWith("~")) options[name.slice(1)] = name === "~exact" && /^(true|false)$/.test(value) ? value === "true" : value;
    else if (value !== "") parameters[name] = value; // what is empty stands for a default
  }
  return { word, view, parameters, options, at };
}

// A part of a path; what can't be read is taken as it stands.
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function written({ word, view, parameters = {}, options = {}, at = null }) {
  const parts = Object.entries(parameters).map(([n, v]) => [n, String(v)]);
  parts.push(...Object.entries(options).map(([n, v]) => [`~${n}`, String(v)]));
  const query = new URLSearchParams(parts).toString();
  const state = at ? `${query ? "&" : ""}~at=${at.join(",")}` : "";
  return `#/${encodeURIComponent(word)}${view ? `/${view}` : ""}${query || state ? "?" : ""}${query}${state}`;
}
