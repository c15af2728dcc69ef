// A match while it is played, step by step at the reader's pace; when it is over, its replay.

import { scene } from "./scene.js";
import { story, table, lineOf } from "./render.js";

const root = document.getElementById("board");
const byId = (id) => document.getElementById(id);
const viewer = Number(root.dataset.viewer);
const match = encodeURIComponent(root.dataset.match);
const RETRY_MS = 2000;
const live = byId("live-link").textContent;

let doc = null;
let version = -1;
let at = -1;

const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });
const last = () => doc.first + doc.steps.length - 1;

function draw() {
  const shown = scene(doc, at - doc.first, viewer);
  byId("table").replaceChildren(...table(doc, shown));
  byId("side").replaceChildren(...story(doc, shown));
  if (shown.lines.length) byId("said").replaceChildren(...shown.lines.flatMap((line) => [lineOf(doc, line), " "]));
  byId("month").textContent = `month ${shown.deal.month}`;
  const log = root.querySelector("ol.log");
  log.scrollTop = log.scrollHeight;
  root.dataset.at = at;
}

async function replay() {
  byId("live-link").textContent = "over; the replay follows when its board is over";
  while (!(await fetch(`/api/v1/replays/${match}`).catch(() => null))?.ok) await pause(RETRY_MS);
  location.replace(`/replays/${match}?at=${Math.max(at, 0)}${viewer < -1 ? "" : "&seat=public"}`);
}

byId("pace-choice").hidden = false;
for (;;) {
  const since = doc ? doc.steps[at - doc.first].deal : 0;
  const answer = await fetch(`/api/v1/live/${match}?seen=${version}&since=${since}`).catch(() => null);
  if (answer?.status === 404) break;
  if (!answer?.ok) {
    byId("live-link").textContent = "The arena does not answer; trying again.";
    await pause(RETRY_MS);
    continue;
  }
  const found = await answer.json();
  byId("live-link").textContent = live;
  ({ document: doc, version } = found);
  if (at < 0) at = last();
  else while (at < last()) { at += 1; draw(); if (at < last()) await pause(Number(byId("pace").value)); }
  draw();
  root.dataset.ready = "true";
  if (found.over) break;
}
await replay();
