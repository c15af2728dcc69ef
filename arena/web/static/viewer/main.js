// The viewer: steps in place, as the server draws them, some at a time. Without this file every control is a link.

import { byId, put, read } from "./steps.js";

const OPEN = -2;
const SWIPE = 40;
const RETRY_MS = 2000;
const NAMED_SEATS = new Map([[OPEN, null], [-1, "public"]]);

const root = byId("viewer");
const index = JSON.parse(byId("index").textContent).map(([deal, asked, decision]) => ({ deal, asked, decision }));
const last = index.length - 1;
const CHUNK = Number(root.dataset.chunk);
const state = { at: Number(root.dataset.at), viewer: Number(root.dataset.viewer), marks: root.classList.contains("marks") };
const chunks = new Map(); // by the address of a chunk, the promise of its steps, then these
let timer = 0;

function link(changes = {}, base = root.dataset.base) {
  const { at, viewer, marks } = { ...state, ...changes };
  const query = new URLSearchParams({ at: within(at) });
  const seat = NAMED_SEATS.has(viewer) ? NAMED_SEATS.get(viewer) : viewer;
  if (seat !== null) query.set("seat", seat);
  if (marks) query.set("marks", 1);
  return `${base}?${query}`;
}

const within = (at) => Math.min(Math.max(at, 0), last);
const addressOf = (at) => link({ at: CHUNK * Math.floor(within(at) / CHUNK) }, `${root.dataset.base}/steps`);

// The steps of a chunk where they are here, else the promise of them.
function chunk(address) {
  if (!chunks.has(address)) {
    const promise = fetch(address)
      .then(async (answer) => { if (!answer.ok) throw new Error(answer.statusText); return read(await answer.text()).steps; })
      .then((steps) => { chunks.set(address, steps); return steps; });
    promise.catch(() => chunks.delete(address));
    chunks.set(address, promise);
  }
  return chunks.get(address);
}

function show(changes) {
  const from = { ...state };
  Object.assign(state, changes);
  state.at = within(state.at);
  mark();
  const address = addressOf(state.at);
  const found = chunk(address);
  if (Array.isArray(found)) draw(found, from);
  else found.then((steps) => { if (addressOf(state.at) === address) draw(steps, from); }, () => failed(address));
}

function failed(address) {
  byId("place").textContent = word("The arena does not answer; trying again.");
  setTimeout(() => { if (addressOf(state.at) === address) show({}); }, RETRY_MS);
}

function draw(steps, from) {
  const focused = document.activeElement?.closest("#side") ? document.activeElement.dataset.at : undefined;
  const isNear = Math.abs(from.at - state.at) === 1 && from.viewer === state.viewer && index[from.at].deal === index[state.at].deal;
  put(steps[state.at % CHUNK], isNear && (!timer || Number(byId("speed").value) > 200));
  if (focused !== undefined) (root.querySelector(`#side [data-at="${focused}"]`) ?? root.querySelector("ol.log")).focus();
  byId("place").textContent = placeOf(state.at);
  root.dataset.at = state.at;
  root.dataset.viewer = state.viewer;
  chunk(addressOf(nearest(state.at)));
}

// A step in the nearer of the chunks beside this one, which is fetched so that its steps are here when they are asked for.
const nearest = (at) => at + (at % CHUNK < CHUNK / 2 ? -CHUNK : CHUNK);

const placeOf = (at) => `${at} / ${last}`;

// What stands around the table.
function mark() {
  root.classList.toggle("marks", state.marks);
  byId("slider").value = state.at;
  const now = byId("score-now");
  if (now) now.setAttribute("x", now.dataset.across * index[state.at].deal);
  const chance = byId("chance-now");
  if (chance) chance.setAttribute("transform", `translate(${chance.dataset.across * state.at})`);
  for (const one of root.querySelectorAll("#timeline a")) {
    current(one, index[one.dataset.at].deal === index[state.at].deal);
    one.href = link({ at: one.dataset.at });
  }
  for (const one of root.querySelectorAll(".seats-choice [data-viewer]")) {
    current(one, Number(one.dataset.viewer) === state.viewer);
    one.href = link({ viewer: Number(one.dataset.viewer) });
  }
  current(byId("marks"), state.marks);
  byId("marks").href = link({ marks: !state.marks });
  byId("previous").href = link({ at: state.at - 1 });
  byId("next").href = link({ at: state.at + 1 });
  const replay = root.dataset.replays;
  byId("link-here").href = link({}, replay);
  byId("picture-svg").href = link({}, `${replay}/picture.svg`);
  history.replaceState(null, "", link());
}

function current(element, is) {
  if (is) element.setAttribute("aria-current", "true");
  else element.removeAttribute("aria-current");
}

// The analysis: asked for, then followed until the page can show it.
async function analyse(event) {
  event.preventDefault();
  const answer = await fetch(event.target.action, { method: "POST", body: new URLSearchParams() }).catch(() => null);
  if (answer?.ok) location.reload();
  else byId("analysing").textContent = answer?.status === 429 ? word("Too many analyses are asked for just now: try again later.") : word("The arena does not answer; try again.");
}

async function follow() {
  const answer = await fetch(`/api/v1/replays/${root.dataset.replay}/analysis`).catch(() => null);
  const found = answer?.ok ? await answer.json() : null;
  if (found && found.state !== "waits") { location.reload(); return; }
  if (found) {
    byId("analysing").textContent = found.ahead
      ? word("Matches to be analysed first: %(num)s.").replace("%(num)s", found.ahead)
      : word("Analysing: %(done)s of %(all)s decisions.").replace("%(done)s", found.done).replace("%(all)s", found.of);
    byId("chances").querySelector("progress").value = found.done;
  }
  setTimeout(follow, RETRY_MS);
}

function play(on) {
  clearInterval(timer);
  timer = on ? setInterval(() => (state.at < last ? show({ at: state.at + 1 }) : play(false)), Number(byId("speed").value)) : 0;
  byId("play").setAttribute("aria-pressed", String(on));
  byId("play").setAttribute("aria-label", on ? word("Pause") : word("Play"));
}

function step(by) {
  play(false);
  show({ at: state.at + by });
}

function stepDeal(by) {
  play(false);
  const at = index.findIndex(({ deal }) => deal === index[state.at].deal + by);
  if (at >= 0) show({ at });
}

function endDeal() {
  play(false);
  const end = index.findLastIndex(({ deal, decision }) => deal === index[state.at].deal && !decision);
  if (end >= 0) show({ at: end });
}

// To the decision before or after this one of the seat that sits below.
function stepOwn(by) {
  play(false);
  for (let at = state.at + by; at >= 0 && at <= last; at += by) {
    if (index[at].asked === Math.max(state.viewer, 0)) { show({ at }); return; }
  }
}

function nextViewer() {
  const viewers = [...root.querySelectorAll(".seats-choice [data-viewer]")].map((one) => Number(one.dataset.viewer));
  show({ viewer: viewers[(viewers.indexOf(state.viewer) + 1) % viewers.length] });
}

async function savePicture() {
  const image = new Image();
  image.src = byId("picture-svg").href;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: 2 * image.width, height: 2 * image.height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  const saved = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: "step.png" });
  saved.click();
  URL.revokeObjectURL(saved.href);
}

// A link to this step: as the system shares, else into the clipboard; where neither is allowed, to where links are.
async function share() {
  const url = byId("link-here").href;
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) {
      await navigator.share({ title: document.title, url });
    } else {
      await navigator.clipboard.writeText(url);
      byId("share").textContent = word("copied");
    }
  } catch {
    byId("share-title").scrollIntoView();
  }
}

const KEYS = {
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  ArrowUp: () => stepDeal(-1),
  ArrowDown: () => stepDeal(1),
  ShiftArrowLeft: () => stepOwn(-1),
  ShiftArrowRight: () => stepOwn(1),
  e: endDeal,
  Home: () => step(-Infinity),
  End: () => step(Infinity),
  " ": () => play(!timer),
  v: nextViewer,
  m: () => show({ marks: !state.marks }),
  "?": () => byId("keys").showModal(),
};

function onKey(event) {
  const name = event.shiftKey && event.key.startsWith("Arrow") ? `Shift${event.key}` : event.key;
  const within = event.target.closest("input, select, textarea, dialog") || event.target.matches("ol.log, .scroller");
  const pressed = event.key === " " && event.target.closest("a, button");
  if (within || pressed || event.altKey || event.ctrlKey || event.metaKey || !(name in KEYS)) return;
  event.preventDefault();
  KEYS[name]();
}

function onClick(event) {
  const target = event.target.closest("a");
  if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const moves = { first: { at: 0 }, previous: { at: state.at - 1 }, next: { at: state.at + 1 }, last: { at: last }, marks: { marks: !state.marks } };
  const change = moves[target.id]
    ?? (target.dataset.at !== undefined ? { at: Number(target.dataset.at) } : null)
    ?? (target.dataset.viewer !== undefined ? { viewer: Number(target.dataset.viewer) } : null);
  if (!change) return;
  event.preventDefault();
  play(false);
  show(change);
}

let touched = null;
byId("table").addEventListener("pointerdown", (event) => { touched = event.pointerType === "mouse" ? null : event; });
byId("table").addEventListener("pointerup", (event) => {
  const across = touched ? event.clientX - touched.clientX : 0;
  if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(event.clientY - touched.clientY)) step(across < 0 ? 1 : -1);
  touched = null;
});
root.addEventListener("click", onClick);
document.addEventListener("keydown", onKey);
byId("play").addEventListener("click", () => play(!timer));
byId("speed").addEventListener("change", () => timer && play(true));
byId("slider").addEventListener("input", (event) => { play(false); show({ at: Number(event.target.value) }); });
byId("picture-png").addEventListener("click", savePicture);
byId("share").addEventListener("click", share);
byId("keys-open").addEventListener("click", KEYS["?"]);
byId("analyse")?.addEventListener("submit", analyse);
byId("chances").querySelector("svg")?.addEventListener("click", (event) => {
  const { left, width } = event.currentTarget.getBoundingClientRect();
  play(false);
  show({ at: Math.round(last * (event.clientX - left) / width) });
});
if (byId("chances").dataset.waits) follow();
byId("embed-code").addEventListener("focus", (event) => event.target.select());
for (const hidden of root.querySelectorAll("[hidden]")) hidden.hidden = false;
const served = root.querySelector("ol.log"); // the server has drawn this step
requestAnimationFrame(() => { served.scrollTop = served.scrollHeight; });
for (const near of [state.at, nearest(state.at)]) chunk(addressOf(near));
root.dataset.ready = "true";
performance.mark("viewer-ready");
