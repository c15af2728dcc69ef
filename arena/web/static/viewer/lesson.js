// A hand that teaches: what came of a decision step by step, then the next decision. Without this file all of it is forms.

import { choosing, isAtChoices, toChoices } from "./choices.js";
import { byId, put, read } from "./steps.js";

const PACE_MS = 1100;
const root = byId("lesson");
const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });

async function choose(button) {
  root.dataset.waits = "false";
  const query = new URLSearchParams({ deal: root.dataset.deal, moves: button.value, at: root.dataset.at });
  const answer = await fetch(`${location.pathname}/steps?${query}`).catch(() => null);
  if (!answer?.ok) {
    root.dataset.waits = "true";
    byId("said").textContent = word("The arena does not answer. Choose again.");
    return;
  }
  const { state, steps } = read(await answer.text());
  for (const step of steps) {
    const focused = isAtChoices();
    put(step);
    root.dataset.at = step.dataset.at;
    if (step !== steps.at(-1)) await pause(PACE_MS);
    else if (focused) toChoices();
  }
  history.pushState(null, "", `${location.pathname}?${new URLSearchParams({ deal: root.dataset.deal, moves: button.value })}`);
  root.dataset.waits = state.waits;
  advise();
}

// The cards of the best choice stand out.
function advise() {
  glow();
  const cards = root.querySelector("#moves .best")?.dataset.cards.split(" ") ?? [];
  for (const one of root.querySelectorAll("#table .card")) one.classList.toggle("advised", cards.includes(one.dataset.card));
}

const { glow } = choosing(root, choose);
addEventListener("popstate", () => location.reload());
advise();
root.dataset.ready = "true";
