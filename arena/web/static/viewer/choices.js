// What the reader may do: buttons, the cards that they name, and the keys. A button's `data-cards` are its cards.

import { byId } from "./steps.js";

// `choose` is called with the button that was chosen, while the root's `data-waits` is true.
export function choosing(root, choose) {
  let picked = null; // a card that several choices name

  const buttons = () => [...root.querySelectorAll("#moves .legal button")];
  const cardsOf = (button) => button.dataset.cards.split(" ").filter(Boolean);
  const onTable = () => [...root.querySelectorAll("#table .seat:last-child .hand .card, #table .field .card, #table .turned .card")];
  const naming = (card) => buttons().filter((one) => cardsOf(one).includes(card));
  const isAsked = () => root.dataset.waits === "true";

  // The cards of the hand that may be played glow, or those of the field where only they are named.
  function glow() {
    picked = null;
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
    if (card && isAsked()) onCard(card.dataset.card);
  }

  function onKey(event) {
    if (event.target.closest("input, select, textarea, .log, .scroller") || event.altKey || event.ctrlKey || event.metaKey) return;
    const all = buttons();
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const named = all.find((one) => one.dataset.key === event.key);
    if (way && all.length) {
      const now = all.indexOf(document.activeElement);
      all[(Math.max(now, way > 0 ? -1 : 0) + way + all.length) % all.length].focus();
    } else if (named && isAsked()) {
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
    if (isAsked()) choose(event.submitter);
  });
  root.addEventListener("click", onClick);
  root.addEventListener("pointerover", onPoint);
  root.addEventListener("focusin", onPoint);
  document.addEventListener("keydown", onKey);
  return { glow };
}

// Whether the reader's place is where the choices are, which are about to be replaced.
export const isAtChoices = () => byId("moves").contains(document.activeElement) || document.activeElement === document.body;

// To the first of the choices that have come, or what stands in their place.
export function toChoices() {
  (byId("moves").querySelector(".legal button, #go-on, .primary") ?? byId("moves-title")).focus({ preventScroll: true });
}
