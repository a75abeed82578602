// The page: which game the address names, and what is shown of it.

import { arrived, parsed, visit, written } from "./address.js";
import { get } from "./api.js";
import { capital, el, fill, notice } from "./dom.js";
import { GamePage } from "./game.js";
import { theme } from "./theme.js";

const main = document.getElementById("main");
const picker = document.getElementById("games");
let games = [];
let shown = null; // the page of a game

async function route(address = location.hash) {
  arrived();
  const asked = parsed(address);
  if (!asked.word && games.length === 1) asked.word = games[0].game;
  const sheet = games.find((g) => g.game === asked.word);
  picker.value = sheet ? sheet.game : "";
  if (!sheet) {
    shown?.leave();
    shown = null;
    document.title = "Zermelo";
    fill(main, asked.word ? notice(`This page was not started for a game “${asked.word}”.`, "error") : null, listOfGames());
    return;
  }
  if (shown && shown.sheet === sheet) {
    shown.go(asked);
    return;
  }
  shown?.leave();
  shown = new GamePage(sheet, main);
  shown.go(asked);
  main.focus({ preventScroll: true });
}

// The title of a game, with its file where another game has the same title.
function named(game) {
  return games.some((g) => g !== game && g.title === game.title) ? `${game.title} (${game.game})` : game.title;
}

function listOfGames() {
  const cards = games.map((g) =>
    el("li", {}, el("a", { class: "card", href: written({ word: g.game }) }, el("strong", {}, named(g)), el("span", {}, capital(g.about)))));
  const list = el("ul", { class: "cards" }, cards);
  const search = el("input", {
    type: "search", placeholder: "Find a game", "aria-label": "Find a game",
    oninput: () => games.forEach((g, k) => (cards[k].hidden = !`${named(g)} ${g.about}`.toLowerCase().includes(search.value.trim().toLowerCase()))),
  });
  return el("section", { class: "start" },
    el("h1", {}, "Optimal play, computed exactly"),
    el("p", { class: "lead" }, "Choose a game. It is solved on this machine: its value with a proof or a bound, and what every move is worth."),
    games.length > 6 ? search : null, list);
}

async function begin() {
  theme();
  try {
    games = (await get("/api/games")).games;
  } catch (error) {
    fill(main, notice(error.message, "error"));
    return;
  }
  if (games.length > 1) {
    fill(picker, el("option", { value: "" }, "All games"), games.map((g) => el("option", { value: g.game }, named(g))));
    picker.parentElement.hidden = false;
    picker.addEventListener("change", () => visit(picker.value ? written({ word: picker.value }) : "#/"));
  }
  addEventListener("hashchange", () => route());
  addEventListener("visit", (event) => route(event.detail));
  addEventListener("click", (event) => {
    const address = event.target.closest?.("a[href^='#']")?.getAttribute("href");
    if (!address || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (address === "#main") main.focus(); // no game
    else visit(address);
  });
  route();
}

begin();
