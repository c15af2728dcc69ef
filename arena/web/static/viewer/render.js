// A scene as elements: the same as templates/viewer_table.html and viewer_side.html.

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== false) element.setAttribute(name, value);
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== false && child !== ""));
  return element;
}

export function table(doc, scene) {
  const far = scene.seats.slice(0, -1).map((one) => seat(doc, one));
  return [...far, middle(doc, scene), seat(doc, scene.seats.at(-1))];
}

export function side(doc, scene, link) {
  return [decision(doc, scene, link), knowledge(doc, scene), history(doc, scene, link)];
}

function card(doc, id, cls = "") {
  const state = (cls === "shown" ? ", seen by all" : "") + (cls === "lacking" ? ", missing" : "");
  return h("span", { class: `card card-${doc.cards[id]}${cls && ` ${cls}`}`, role: "img", "data-card": id, "aria-label": doc.labels[id] + state });
}

const backs = (count) => Array.from({ length: count }, () => h("span", { class: "card card-back" }));

export const fan = (doc, cards, shown = []) => cards.map((id) => card(doc, id, shown.includes(id) ? "shown" : ""));
const who = (doc, seat) => h("span", { class: "who" }, doc.names[seat]);
const group = (cls, label, ...children) => h("div", { class: cls, role: "group", "aria-label": label }, ...children);
const counted = (counters) => counters.flatMap((one) => [h("span", {}, `${one.word} `, h("b", {}, `${one.value}`)), " "]);
const signed = (value) => h("span", { class: value > 0 ? "gain" : value < 0 ? "loss" : "" }, value > 0 ? `+${value}` : `${value}`);

export function parts(doc, list, cards = drawn(doc)) {
  return list.map((part) => (typeof part === "string" ? part : part.name ? h("b", { lang: "ja" }, part.name) : cards(part.cards)));
}

const drawn = (doc) => (cards) => h("span", { class: "mini" }, fan(doc, cards));
const written = (doc) => (cards) => cards.flatMap((id, index) => [
  h("span", { class: `chip kind-${doc.cards[id].at(-1)}` }, doc.cards[id]), index < cards.length - 1 ? " " : ""]);

function seat(doc, one) {
  return h("div", { class: `seat seat-${one.seat}${one.hasTurn ? " has-turn" : ""}` },
    h("h2", {}, h("span", { class: "name" }, one.name),
      one.deals && [" ", h("span", { class: "badge" }, "deals")],
      one.hasTurn && [" ", h("span", { class: "badge turn" }, "to play")]),
    h("p", { class: "counters" }, counted(one.counters),
      one.clock !== null && h("span", {}, "time used ", h("b", {}, `${(one.clock / 1000).toFixed(1)} s`))),
    group("hand", `Hand of ${one.name}${one.backs ? `, ${one.backs} face down` : ""}`, fan(doc, one.hand, one.shown), backs(one.backs)),
    one.pile.length > 0 && group("pile", `Taken by ${one.name}`, one.pile.map((kind) => group("fan", kind.kind, fan(doc, kind.cards)))),
    one.yaku.length > 0 && h("ul", { class: "yaku", "aria-label": `Yaku of ${one.name}` }, one.yaku.map((row) =>
      h("li", { class: row.missing ? "" : "complete" }, h("span", { lang: "ja" }, row.name), " ", h("span", { class: "reading" }, row.id), " ", h("b", {}, `${row.points}`), " ",
        row.cards.length
          ? h("span", { class: "mini" }, row.cards.map((one) => card(doc, one.card, one.held ? "" : "lacking")))
          : h("span", {}, `${row.need - row.missing}/${row.need}`)))));
}

function middle(doc, scene) {
  return h("div", { class: "middle" },
    scene.counters.length > 0 && h("p", { class: "counters" }, counted(scene.counters)),
    group("stock", `Stock, ${scene.stock} cards`, backs(scene.stock ? 1 : 0), h("b", {}, `${scene.stock}`)),
    scene.turned.length > 0 && group("turned", "Turned", fan(doc, scene.turned)),
    group("field", scene.discard.length ? "Discards" : "Field", fan(doc, scene.field), fan(doc, scene.discard)),
    scene.bottom.length > 0 && group("bottom", "Under the stock", fan(doc, scene.bottom)));
}

export function panel(id, title, ...children) {
  return h("section", { class: "panel", id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), ...children);
}

// The step at which a step's deal is settled, -1 where the match ended first.
export function endOf(doc, { deal }) {
  return doc.steps.findLastIndex((one) => one.deal === deal && !one.decision);
}

function decision(doc, scene, link) {
  const { step, deal } = scene;
  const end = endOf(doc, step);
  const title = `Month ${deal.month}, ${deal.plant}${step.decision ? ` · decision ${step.decision}` : " · its end"}`;
  return panel("decision", title,
    scene.lines.length > 0 && h("ul", { class: "lines" }, scene.lines.map((line) =>
      h("li", { class: `seat-${line[0]}` }, whoDid(doc, line)))),
    scene.asked >= 0 ? asked(doc, scene) : !step.decision && settled(doc, deal),
    end >= 0 && end !== scene.at && h("p", { class: "small" }, h("a", { href: link({ at: end }), "data-at": end }, "How this month ended")),
    scene.at === doc.steps.length - 1 && final(doc));
}

function asked(doc, { asked: seat, step }) {
  const time = step.clock === null ? "" : ` in ${(step.clock / 1000).toFixed(2)} s`;
  return [
    h("p", { class: `asked seat-${seat}` }, who(doc, seat), ` chose${time}${step.chosen < 0 ? " nothing" : ""}, of ${step.legal.length}:`),
    h("ul", { class: "legal" }, step.legal.map((index, place) =>
      h("li", { class: place === step.chosen ? "chosen" : "" }, parts(doc, doc.actions[index][1]),
        place === step.chosen && [" ", h("span", { class: "badge" }, "chosen")]))),
  ];
}

export function settled(doc, deal) {
  const row = (cls, label, values, write) => h("tr", { class: cls }, h("th", { scope: "row" }, label),
    values.map((value) => h("td", { class: "number" }, write(value))));
  const changed = (one) => h("tr", {},
    h("th", { scope: "row" }, h("span", { lang: "ja" }, one.label), one.note && [" ", h("span", { class: "small soft" }, one.note)]),
    doc.names.map((_, seat) => h("td", { class: "number" }, one.values && [
      signed(one.values[seat]), h("br"), h("span", { class: "small soft" }, `${one.balances[seat]}`)])));
  return [
    h("p", {}, h("strong", {}, deal.ending)),
    h("div", { class: "scroller", role: "region", "aria-label": "The sum", tabindex: "0" }, h("table", { class: "sum" },
      h("caption", {}, "What this month changed"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "for"),
        doc.names.map((name) => h("th", { scope: "col", class: "number" }, h("span", { class: "name", title: name }, name))))),
      h("tbody", {},
        row("balance", "before", deal.before, String),
        deal.sum.map(changed),
        deal.scores && row("total", "this month", deal.scores, signed),
        row("balance", "after", deal.after, String),
        deal.beside.map(changed)))),
  ];
}

const whoDid = (doc, [seat, list], cards) => [seat >= 0 && [who(doc, seat), " "], parts(doc, list, cards)];
export const lineOf = (doc, line) => h("span", { class: `seat-${line[0]}` }, whoDid(doc, line));

// What stands beside a match under way: how the last month was settled, and what happened in this one.
export function story(doc, shown) {
  const sum = shown.step.decision > 0 && doc.deals[shown.step.deal - 1];
  return [
    sum ? panel("sum", `Month ${sum.month}, ${sum.plant}`, settled(doc, sum)) : "",
    panel("log", "This month so far", h("ol", { class: "log", tabindex: "0" },
      shown.log.map(({ line }) => h("li", { class: `seat-${line[0]}` }, whoDid(doc, line))))),
  ];
}

export function placing(doc) {
  const order = doc.names.map((_, seat) => seat).sort((a, b) => doc.placing[a] - doc.placing[b] || a - b);
  return h("ol", { class: "placing" }, order.map((seat) =>
    h("li", { value: doc.placing[seat] }, h("span", { class: "name" }, doc.names[seat]), " ", h("b", {}, `${doc.results[seat]}`))));
}

const final = (doc) => [h("p", {}, h("strong", {}, doc.end), doc.settled && ` ${doc.settled}`), placing(doc)];

function knowledge(doc, scene) {
  return panel("knowledge", "Who knew what", h("dl", {}, scene.unseen.map((cards, seat) =>
    (scene.viewer < 0 || scene.viewer === seat) && [
      h("dt", { class: `seat-${seat}` }, who(doc, seat), ` had not seen ${cards.length}`),
      h("dd", { class: "mini" }, fan(doc, cards))])));
}

function history(doc, scene, link) {
  return panel("log", "This month so far", h("ol", { class: "log", tabindex: "0" }, scene.log.map(({ at, line }) =>
    h("li", { class: `seat-${line[0]}` },
      h("a", { href: link({ at }), "data-at": at, "aria-current": at === scene.at && "true" }, `${at + 1}`), " ",
      whoDid(doc, line, written(doc))))));
}
