// Keeps the list of matches under way up to date.
setInterval(async () => {
  if (document.hidden) return;
  const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("boards");
  const old = document.getElementById("boards");
  if (old.innerHTML !== fresh.innerHTML && !old.contains(document.activeElement)) old.replaceChildren(...document.importNode(fresh, true).childNodes);
}, 3000);
