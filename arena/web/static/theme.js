// Light or dark pages and the colour of the cards' backs, as the reader chose; loaded before anything is drawn.
{
  // What a message is in the page's language. Scripts are in English; a page in another language brings its words.
  let words = null;
  globalThis.word = (text) => {
    words ??= JSON.parse(document.getElementById("script-words")?.textContent ?? "{}");
    return words[text] ?? text;
  };

  const root = document.documentElement;
  const isDark = matchMedia("(prefers-color-scheme: dark)");
  let kept = {};
  try { kept = JSON.parse(localStorage.getItem("look")) ?? {}; } catch { /* nothing may be kept here, or it is not ours */ }

  const theme = () => kept.theme ?? (isDark.matches ? "dark" : "light");
  const apply = () => {
    if (kept.theme === "dark" || kept.theme === "light") root.dataset.theme = kept.theme;
    else delete root.dataset.theme;
    if (kept.back === "red") root.dataset.back = "red";
    else delete root.dataset.back;
  };
  const choose = (change) => {
    Object.assign(kept, change);
    apply();
    try { localStorage.setItem("look", JSON.stringify(kept)); } catch { /* then it holds for this page */ }
  };
  const button = (text, isPressed, onClick) => {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: text, className: "look" });
    const show = () => made.setAttribute("aria-pressed", String(isPressed()));
    made.addEventListener("click", () => { onClick(); show(); });
    show();
    return made;
  };
  apply();
  addEventListener("DOMContentLoaded", () => {
    const looks = Object.assign(document.createElement("div"), { className: "looks" });
    looks.append(button(word("Dark"), () => theme() === "dark", () => choose({ theme: theme() === "dark" ? "light" : "dark" })));
    if (document.body.classList.contains("viewer-page")) {
      looks.append(button(word("Red backs"), () => kept.back === "red", () => choose({ back: kept.back === "red" ? "black" : "red" })));
    }
    document.querySelector(".site-header")?.append(looks);
    for (const language of document.querySelectorAll("a.language")) {
      // The page as it stands now: scripts change its address.
      language.addEventListener("click", () => {
        const place = location.pathname.slice(root.dataset.prefix.length) + location.search;
        language.href = language.href.replace(/to=.*/, `to=${encodeURIComponent(place)}`);
      });
    }
  });
}
