// A game of the reader's own: what happened step by step, then what they may do. Without this file all of it is forms.

import { choosing, isAtChoices, toChoices } from "./choices.js";
import { byId, put, read } from "./steps.js";

const root = byId("game");
const address = `${root.dataset.address}/steps`;
const RETRY_MS = 2000;

let { at, deal, version } = root.dataset;
let waiting = []; // the steps that are not shown yet
let isOver = root.dataset.over === "true";
let timer = 0;

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
      say(error.status ? word("The arena does not take that now; trying again.") : word("The arena does not answer; trying again."));
      timer = setTimeout(() => follow(error.status === 400 ? null : choice), RETRY_MS);
    }
  }
}

// One step after the other at the reader's pace; a month's end waits for the reader.
function next(isAsked) {
  clearTimeout(timer);
  const step = waiting.shift();
  if (step) {
    const focused = isAtChoices();
    put(step, step.dataset.deal === deal && Number(byId("pace").value) > 200);
    ({ at, deal } = step.dataset);
    root.dataset.at = at;
    if (focused) toChoices();
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
  const again = Object.assign(document.createElement("a"), { href: root.dataset.again, className: "button primary", textContent: word("Play again") });
  const title = Object.assign(document.createElement("h2"), { id: "moves-title", tabIndex: -1, textContent: word("This game is gone") });
  const text = Object.assign(document.createElement("p"), { textContent: word("It was left, or the arena was started again meanwhile: what was played is lost.") });
  byId("moves").replaceChildren(title, text, again);
  title.focus({ preventScroll: true });
  over();
}

function say(text) {
  byId("said").textContent = text;
}

const { glow } = choosing(root, (button) => {
  const { decision } = button.form.elements;
  follow({ decision: decision.value, code: button.value });
  for (const one of button.form.querySelectorAll(".legal button")) one.disabled = true;
});

byId("keys").hidden = isOver;
next(root.dataset.waits === "true");
root.dataset.ready = "true";
