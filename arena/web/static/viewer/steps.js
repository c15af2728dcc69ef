// Steps that the server has drawn, each a <template>: how one is put on the page, and how its cards move there.

const MOVE_MS = 200;
const AREAS = "#table .hand, #table .field, #table .turned, #table .pile";
const isStill = matchMedia("(prefers-reduced-motion: reduce)");

export const byId = (id) => document.getElementById(id);

// What an answer holds: how the match stands, and its steps.
export function read(html) {
  const main = new DOMParser().parseFromString(html, "text/html").querySelector("main");
  return { state: main.dataset, steps: [...main.querySelectorAll("template")] };
}

// Put each part of a step where the page has an element of its name. Cards go to their new places, unless `moving` is false.
export function put(step, moving = true) {
  const before = moving && !isStill.matches ? places() : null;
  for (const part of step.content.children) {
    const place = byId(part.dataset.part);
    if (place && place.innerHTML !== part.innerHTML) place.replaceChildren(...part.cloneNode(true).childNodes);
  }
  const log = document.querySelector("ol.log");
  if (log) log.scrollTop = log.scrollHeight;
  if (before) move(before);
}

const cards = () => document.querySelectorAll(AREAS.replaceAll(/#table \.\w+/g, "$& .card[data-card]"));

function places() {
  const stock = document.querySelector("#table .stock .card")?.getBoundingClientRect();
  const hand = document.querySelector("#table .has-turn .hand .card-back")?.getBoundingClientRect();
  return { stock, hand, of: new Map([...cards()].map((card) => [card.dataset.card, card.getBoundingClientRect()])) };
}

function move({ stock, hand, of }) {
  for (const card of cards()) {
    const from = of.get(card.dataset.card) ?? (card.closest(".turned") ? stock : hand ?? stock);
    const to = card.getBoundingClientRect();
    if (!from || !to.width || (from.left === to.left && from.top === to.top)) continue;
    const shift = `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${from.width / to.width})`;
    card.animate([{ transform: shift, transformOrigin: "0 0" }, { transform: "none", transformOrigin: "0 0" }], { duration: MOVE_MS, easing: "ease-out" });
  }
}
