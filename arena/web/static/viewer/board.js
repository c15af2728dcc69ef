// A match while it is played, step by step at the reader's pace, to its last card and its result.

import { byId, put, read } from "./steps.js";

const root = byId("board");
const RETRY_MS = 2000;
const MAX_MS = 15_000;
const SILENCE_MS = 20_000;

let { at, deal, version } = root.dataset;
const site = document.title.slice(document.title.lastIndexOf(" · "));
let [isOver, replay] = [false, ""];
const told = []; // steps that are not shown yet
let showing = null;

const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });
const say = (text) => { if (byId("live-link").textContent !== text) byId("live-link").textContent = text; };

// Takes the arena's word for how the match stands, and shows the steps that are new.
function take({ state, steps }) {
  told.push(...steps);
  ({ at, deal } = steps.at(-1)?.dataset ?? { at, deal });
  version = state.version ?? version;
  isOver = state.over === "1";
  replay = state.replay ?? "";
  showing ??= show().finally(() => { showing = null; });
  if (!isOver) say(state.waits ?? word("live"));
  return Boolean(state.waits);
}

// Shows what is told, one step after the other.
async function show() {
  for (let step = told.shift(); step; step = told.shift()) {
    const pace = Number(byId("pace").value);
    put(step, step.dataset.deal === root.dataset.deal && pace > 200);
    document.title = step.content.querySelector("[data-title]").dataset.title + site;
    Object.assign(root.dataset, { at: step.dataset.at, deal: step.dataset.deal });
    if (told.length) await pause(pace);
  }
  if (isOver) say(word("over"));
}

// Waits while the arena tells of each step by itself; whether it did at all.
function follow() {
  return new Promise((done) => {
    let wasOpen = false;
    const events = new EventSource(`${location.pathname}/events?seen=${version}`);
    let silence = 0;
    const end = () => {
      clearTimeout(silence);
      removeEventListener("offline", end);
      events.close();
      done(wasOpen);
    };
    const heard = () => { clearTimeout(silence); silence = setTimeout(end, SILENCE_MS); };
    events.onopen = () => { wasOpen = true; heard(); say(word("live")); };
    events.addEventListener("still", heard);
    events.onmessage = (event) => { heard(); take(read(event.data)); };
    events.onerror = end;
    addEventListener("offline", end);
    heard();
  });
}

// Asks how the match stands now; false where the arena does not answer, or knows no more than that one has to wait.
async function ask() {
  const query = new URLSearchParams({ at, seen: version, since: deal, seat: root.dataset.seat });
  const answer = await fetch(`${location.pathname}/steps?${query}`).catch(() => null);
  if (answer?.ok) return !take(read(await answer.text()));
  say(answer?.status === 404 ? word("The arena does not know this match any more; looking again.") : word("The arena does not answer; trying again."));
  return false;
}

byId("pace-choice").hidden = false;
root.dataset.ready = "true";
let waitMs = RETRY_MS;
while (!isOver || !replay) {
  // Those who watch the same match lose it at the same moment: they come back one after the other.
  if (!isOver && (await follow()) && !isOver) await pause(Math.random() * RETRY_MS);
  if (isOver && replay) break;
  const isLive = await ask();
  if (isOver ? replay : isLive) {
    waitMs = RETRY_MS;
  } else {
    await pause(waitMs * (0.5 + Math.random()));
    waitMs = Math.min(1.5 * waitMs, MAX_MS);
  }
}
await showing;
root.dataset.over = "true";
