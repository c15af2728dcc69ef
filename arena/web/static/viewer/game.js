// A game of the reader's own: shows what happened step by step, then what they may do. Without this file all of it is forms.

import { scene } from "./scene.js";
import { fan, placing, h, panel, parts, settled, story, table, lineOf } from "./render.js";

const root = document.getElementById("game");
const byId = (id) => document.getElementById(id);
const seat = Number(root.dataset.seat);
const address = `/api/v1/games/${root.dataset.game}`;
const RETRY_MS = 2000;
const CHOICE_KEYS = "1234567890abcdefghijklmnopqrstuvwxyz";

let game = null;
let at = -1; // the step that is shown, counted from the game's first
let timer = 0;
let picked = null; // a card that several choices name

const stepAt = (number) => game.document.steps[number - game.document.first];
const last = () => game.document.first + game.document.steps.length - 1;
const waits = () => at === last() && game.question && stepAt(at).asked === seat;

async function ask(body = null) {
  const deal = at >= 0 && game ? stepAt(at).deal : 0;
  const query = new URLSearchParams({ since: deal, ...(body ?? { seen: game ? game.version : -1 }) });
  const answer = await fetch(body ? address : `${address}?${query}`, body ? { method: "POST", body: query } : {});
  if (answer.ok) return answer.json();
  throw Object.assign(new Error((await answer.json().catch(() => ({}))).error ?? answer.statusText), { status: answer.status });
}

async function follow(body = null) {
  clearTimeout(timer);
  try {
    const isFirst = !game;
    game = await ask(body);
    if (isFirst) at = last();
    show();
  } catch (error) {
    if (error.status === 409) { follow(); return; } // it was made in another window
    say([error.status ? error.message : "The arena does not answer; trying again."]);
    if (!error.status || error.status >= 500) timer = setTimeout(follow, RETRY_MS);
  }
}

// One step at a time at the reader's pace; a month's end waits for the reader.
function show() {
  clearTimeout(timer);
  picked = null;
  draw();
  if (at < last()) {
    if (stepAt(at).decision) timer = setTimeout(() => { at += 1; show(); }, Number(byId("pace").value));
  } else if (!game.question && !game.over) {
    follow();
  }
}

function say(content) {
  byId("said").replaceChildren(...[content].flat(Infinity));
}

function draw() {
  const doc = game.document;
  const shown = scene(doc, at - doc.first, seat);
  byId("table").replaceChildren(...table(doc, shown));
  root.querySelector("h1 .soft").textContent = `month ${shown.deal.month}`;
  if (shown.lines.length) say(shown.lines.map((line) => [lineOf(doc, line), " "]));
  byId("side").replaceChildren(...side(doc, shown));
  const log = root.querySelector("ol.log");
  log.scrollTop = log.scrollHeight;
  moves(doc, shown);
  root.dataset.at = at;
  root.dataset.waits = String(Boolean(waits()));
}

function side(doc, shown) {
  const unseen = shown.unseen[seat];
  return [...story(doc, shown), panel("knowledge", `Not seen yet, ${unseen.length}`, h("p", { class: "mini" }, fan(doc, unseen)))];
}

function moves(doc, shown) {
  const place = byId("moves");
  const had = place.contains(document.activeElement) || document.activeElement === document.body;
  const title = (text) => h("h2", { id: "moves-title", tabindex: "-1" }, text);
  let inside;
  if (waits()) {
    const choices = shown.step.legal.map((index, number) => h("li", {},
      h("button", { type: "button", "data-code": game.question.codes[number], "data-cards": named(doc.actions[index]).join(" ") },
        number < CHOICE_KEYS.length && h("kbd", { "aria-hidden": "true" }, CHOICE_KEYS[number]), " ", parts(doc, doc.actions[index][1]))));
    inside = [title("Your move"), h("ul", { class: "legal" }, choices)];
    glow();
  } else if (at < last() && !stepAt(at).decision) {
    inside = [title(shown.deal.ending), sum(doc, shown), h("p", {}, h("button", { type: "button", id: "go-on", class: "primary" }, "Next month"))];
  } else if (at === last() && game.over) {
    inside = [
      title(doc.end || "The game is over"),
      game.fault && h("p", { class: "loss" }, game.fault),
      doc.end && [doc.settled && h("p", {}, doc.settled), placing(doc), sum(doc, shown)],
      h("p", {}, game.replay && [h("a", { class: "button primary", href: `/replays/${game.replay}?seat=${seat}` }, "See the replay"), " "],
        h("a", { class: "button", href: "/play" }, "Play again")),
    ];
    root.querySelector('form[action$="/leave"]')?.remove();
    byId("keys").hidden = true;
  } else {
    inside = [title("The others play")];
  }
  place.replaceChildren(byId("said"), ...inside.flat(Infinity).filter(Boolean));
  if (had) (place.querySelector(".legal button, #go-on, .primary") ?? byId("moves-title")).focus({ preventScroll: true });
}

const sum = (doc, { deal, step }) => (step.decision ? [] : settled(doc, deal).slice(1));
const named = ([, list]) => list.flatMap((part) => part.cards ?? []);
const buttons = () => [...root.querySelectorAll("#moves .legal button")];
const cardsOf = (button) => button.dataset.cards.split(" ").filter(Boolean);
const onTable = () => [...root.querySelectorAll("#table .seat:last-child .hand .card, #table .field .card, #table .turned .card")];

// The cards of the hand that may be played glow, or those of the field where only they are named.
function glow() {
  const doc = game.document;
  const all = new Set(stepAt(at).legal.flatMap((index) => named(doc.actions[index])).map(String));
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
  for (const one of buttons()) one.disabled = true;
  follow({ decision: game.question.number, code: button.dataset.code });
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
  const button = event.target.closest("#moves .legal button");
  const card = event.target.closest("#table .card[data-card]");
  if (button) choose(button);
  else if (event.target.closest("#go-on")) { at += 1; show(); }
  else if (card && waits()) onCard(card.dataset.card);
}

function onKey(event) {
  if (event.target.closest("input, select, textarea, .log, .scroller") || event.altKey || event.ctrlKey || event.metaKey) return;
  const all = buttons();
  const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (way && all.length) {
    const now = all.indexOf(document.activeElement);
    all[(Math.max(now, way > 0 ? -1 : 0) + way + all.length) % all.length].focus();
  } else if (CHOICE_KEYS.includes(event.key) && all[CHOICE_KEYS.indexOf(event.key)]) {
    choose(all[CHOICE_KEYS.indexOf(event.key)]);
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

root.addEventListener("click", onClick);
root.addEventListener("pointerover", onPoint);
root.addEventListener("focusin", onPoint);
document.addEventListener("keydown", onKey);
byId("keys").hidden = false;
await follow();
root.dataset.ready = "true";
