// A game of the reader's own: what happened step by step, then what they may do. Without this file all of it is forms.

import { byId, put, read } from "./steps.js";

const root = byId("game");
const address = `/games/${root.dataset.game}/steps`;
const RETRY_MS = 2000;

let { at, deal, version } = root.dataset;
let waiting = []; // the steps that are not shown yet
let isOver = root.dataset.over === "true";
let timer = 0;
let picked = null; // a card that several choices name

async function ask(choice) {
  const query = new URLSearchParams({ at, since: deal, ...(choice ?? { seen: version }) });
  const answer = await fetch(choice ? address : `${address}?${query}`, choice ? { method: "POST", body: query } : {});
  if (answer.ok) return read(await answer.text());
  throw Object.assign(new Error(answer.statusText), { status: answer.status });
}

async function follow(choice = null) {
  clearTimeout(timer);
  root.dataset.waits = "false";
  try {
    const { state, steps } = await ask(choice);
    ({ version } = state);
    isOver = state.over === "1";
    waiting = steps;
    next(state.waits === "1");
  } catch (error) {
    if (error.status === 404) lost();
    else if (error.status === 409) follow(); // it was made in another window
    else {
      say(error.status ? "The arena does not take that now; trying again." : "The arena does not answer; trying again.");
      timer = setTimeout(() => follow(error.status === 400 ? null : choice), RETRY_MS);
    }
  }
}

// One step after the other at the reader's pace; a month's end waits for the reader.
function next(isAsked) {
  clearTimeout(timer);
  picked = null;
  const step = waiting.shift();
  if (step) {
    const focused = byId("moves").contains(document.activeElement) || document.activeElement === document.body;
    put(step, step.dataset.deal === deal && Number(byId("pace").value) > 200);
    ({ at, deal } = step.dataset);
    root.dataset.at = at;
    if (focused) (byId("moves").querySelector(".legal button, #go-on, .primary") ?? byId("moves-title")).focus({ preventScroll: true });
  }
  root.dataset.waits = String(isAsked && !waiting.length);
  if (waiting.length && step.dataset.decision === "0") byId("go-on").addEventListener("click", () => next(isAsked), { once: true });
  else if (waiting.length) timer = setTimeout(() => next(isAsked), Number(byId("pace").value));
  else if (isAsked) glow();
  else if (isOver) over();
  else follow();
}

function over() {
  root.dataset.over = "true";
  byId("leave")?.remove();
  byId("keys").hidden = true;
}

function lost() {
  const again = Object.assign(document.createElement("a"), { href: "/play", className: "button primary", textContent: "Play again" });
  const title = Object.assign(document.createElement("h2"), { id: "moves-title", tabIndex: -1, textContent: "This game is gone" });
  const text = Object.assign(document.createElement("p"), { textContent: "It was left, or the arena was started again meanwhile: what was played is lost." });
  byId("moves").replaceChildren(title, text, again);
  title.focus({ preventScroll: true });
  over();
}

function say(text) {
  byId("said").textContent = text;
}

const buttons = () => [...root.querySelectorAll("#moves .legal button")];
const cardsOf = (button) => button.dataset.cards.split(" ").filter(Boolean);
const onTable = () => [...root.querySelectorAll("#table .seat:last-child .hand .card, #table .field .card, #table .turned .card")];

// The cards of the hand that may be played glow, or those of the field where only they are named.
function glow() {
  const all = new Set(buttons().flatMap(cardsOf));
  const found = onTable().filter((one) => all.has(one.dataset.card));
  const ofHand = found.filter((one) => one.closest(".hand"));
  for (const one of ofHand.length ? ofHand : found) one.classList.add("playable");
}

// What the choices under the pointer or the focus name.
function mean(chosen) {
  const cards = new Set(chosen.flatMap(cardsOf));
  for (const one of onTable()) one.classList.toggle("meant", cards.has(one.dataset.card));
  for (const one of buttons()) one.classList.toggle("meant", chosen.includes(one));
}

const naming = (card) => buttons().filter((one) => cardsOf(one).includes(card));

function choose(button) {
  if (root.dataset.waits !== "true") return;
  const { decision } = button.form.elements;
  follow({ decision: decision.value, code: button.value });
  for (const one of buttons()) one.disabled = true;
}

function onCard(card) {
  const both = picked === null ? [] : naming(card).filter((one) => cardsOf(one).includes(picked));
  const found = both.length ? both : naming(card);
  if (found.length === 1) {
    choose(found[0]);
  } else if (found.length) {
    picked = card;
    mean(found);
    found[0].focus();
  }
}

function onClick(event) {
  const card = event.target.closest("#table .card[data-card]");
  if (card && root.dataset.waits === "true") onCard(card.dataset.card);
}

function onKey(event) {
  if (event.target.closest("input, select, textarea, .log, .scroller") || event.altKey || event.ctrlKey || event.metaKey) return;
  const all = buttons();
  const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const named = all.find((one) => one.dataset.key === event.key);
  if (way && all.length) {
    const now = all.indexOf(document.activeElement);
    all[(Math.max(now, way > 0 ? -1 : 0) + way + all.length) % all.length].focus();
  } else if (named) {
    choose(named);
  } else {
    return;
  }
  event.preventDefault();
}

function onPoint(event) {
  const button = event.target.closest("#moves .legal button");
  const card = event.target.closest("#table .card.playable");
  if (button) mean([button]);
  else if (card) mean(naming(card.dataset.card));
  else if (event.type === "pointerover" && picked === null) mean([]);
}

root.addEventListener("submit", (event) => {
  if (!event.submitter?.matches(".legal button")) return;
  event.preventDefault();
  choose(event.submitter);
});
root.addEventListener("click", onClick);
root.addEventListener("pointerover", onPoint);
root.addEventListener("focusin", onPoint);
document.addEventListener("keydown", onKey);
byId("keys").hidden = isOver;
next(root.dataset.waits === "true");
root.dataset.ready = "true";
