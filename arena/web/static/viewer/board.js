// A match while it is played, step by step at the reader's pace, to its last card and its result.

import { byId, put, read } from "./steps.js";

const root = byId("board");
const RETRY_MS = 2000;

let { at, deal, version } = root.dataset;
const site = document.title.slice(document.title.lastIndexOf(" · "));
let [isOver, replay] = [false, ""];

const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });
const say = (text) => { if (byId("live-link").textContent !== text) byId("live-link").textContent = text; };

// How the match stands now; null where the arena does not answer, which says so.
async function news() {
  const query = new URLSearchParams({ at, seen: version, since: deal, seat: root.dataset.seat });
  const answer = await fetch(`${location.pathname}/steps?${query}`).catch(() => null);
  if (answer?.ok) return read(await answer.text());
  say(answer?.status === 404 ? word("The arena does not know this match any more; looking again.") : word("The arena does not answer; trying again."));
  return null;
}

async function show(steps) {
  for (const step of steps) {
    const pace = Number(byId("pace").value);
    put(step, step.dataset.deal === deal && pace > 200);
    ({ at, deal } = step.dataset);
    document.title = step.content.querySelector("[data-title]").dataset.title + site;
    root.dataset.at = at;
    if (step !== steps.at(-1)) await pause(pace);
  }
}

byId("pace-choice").hidden = false;
root.dataset.ready = "true";
while (!isOver || !replay) {
  const found = await news();
  if (found) {
    const { state, steps } = found;
    await show(steps);
    isOver = state.over === "1";
    replay = state.replay ?? "";
    version = state.version ?? version;
    say(state.waits ?? (isOver ? word("over") : word("live")));
    if (!isOver && !state.waits) continue; // the arena has waited for news
  }
  if (!isOver || !replay) await pause(RETRY_MS);
}
root.dataset.over = "true";
