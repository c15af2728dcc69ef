// Keeps a league's page up to date: counts come with each event, tables by fetching the page anew now and then.
const link = () => document.getElementById("live-link");
const path = location.pathname;
let version = document.body.dataset.version;
let waiting = 0;
let refreshS = 2;

function say(text) {
  const place = link();
  if (place && place.textContent !== text) place.textContent = text;
}

async function refresh() {
  waiting = 0;
  let text;
  try {
    const answer = await fetch(path + location.search, { cache: "no-cache" });
    if (!answer.ok) throw new Error(answer.statusText);
    text = await answer.text();
  } catch {
    say(word("The arena does not answer; trying again."));
    later(5);
    return;
  }
  const fresh = new DOMParser().parseFromString(text, "text/html");
  document.body.dataset.version = fresh.body.dataset.version;
  for (const part of fresh.querySelectorAll("[data-live]")) {
    const old = document.getElementById(part.id);
    if (!old || old.innerHTML === part.innerHTML) continue;
    const open = [...old.querySelectorAll("details")].map((one) => one.open);
    old.replaceChildren(...document.importNode(part, true).childNodes);
    old.querySelectorAll("details").forEach((one, at) => { one.open = open[at] ?? one.open; });
  }
  say(word("live"));
  if (fresh.body.dataset.version !== version || fresh.querySelector("[data-running]")) later(refreshS);
}

function later(seconds) {
  // Readers fetch at different moments, however many there are.
  if (!waiting) waiting = setTimeout(refresh, 1000 * seconds * (0.5 + Math.random()));
}

function follow() {
  const events = new EventSource(`${path}/events?last=${encodeURIComponent(version)}`);
  events.onopen = () => say(word("live"));
  events.onmessage = (event) => {
    const standing = JSON.parse(event.data);
    version = standing.version;
    refreshS = standing.refresh_s;
    for (const division of standing.divisions) {
      const bar = document.querySelector(`[data-stand="${CSS.escape(division.variant)}"] progress`);
      if (bar) bar.value = division.share_done;
    }
    later(standing.state === "finished" || standing.state === "cancelled" ? 0.5 : standing.refresh_s);
    if (standing.state === "finished" || standing.state === "cancelled") events.close();
  };
  events.onerror = () => {
    say(word("The connection is lost; trying again."));
    if (events.readyState === EventSource.CLOSED) setTimeout(follow, 3000);
  };
}

follow();
