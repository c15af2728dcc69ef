// One step of a document as one viewer saw it: what arena/web/viewer/scene.py makes for the page without JavaScript.

export const OPEN = -2;

const KINDS = [["L", "lights"], ["A", "animals"], ["R", "ribbons"], ["xyz", "chaff"]];
const MOST_YAKU = 6;
const MOST_DRAWN = 6;
const NONE = { cards: [], count: 0 };

export function scene(doc, at, viewer) {
  const step = doc.steps[at];
  const deal = doc.deals[step.deal];
  const seats = doc.names.map((_, seat) => seat);
  const view = step.views.at(viewer >= 0 ? viewer : -1);
  const zones = zonesOf(doc, view);
  if (viewer === OPEN) {
    for (const seat of seats) zones.set(`hand ${seat}`, zonesOf(doc, step.views[seat]).get(`hand ${seat}`) ?? NONE);
  }
  const zone = (kind, seat = -1) => zones.get(`${kind} ${seat}`) ?? NONE;
  const turn = viewer === OPEN ? step.asked : view[0];
  const counters = doc.counters[view[3]]
    .filter(([name, , value]) => name in doc.counter_words && (value || name === "balance" || name === "points"))
    .map(([name, seat, value]) => ({ seat, word: doc.counter_words[name], value }));
  const near = Math.max(viewer, 0);
  const order = seats.map((_, away) => (near + 1 + away) % seats.length);
  return {
    at, viewer, step, deal,
    seats: order.map((seat) => ({
      seat,
      name: doc.names[seat],
      hasTurn: seat === turn,
      deals: seat === deal.dealer,
      hand: zone("hand", seat).cards,
      backs: zone("hand", seat).count - zone("hand", seat).cards.length,
      shown: zone("shown", seat).cards,
      pile: byKind(doc, zone("pile", seat).cards),
      counters: counters.filter((one) => one.seat === seat),
      clock: step.used ? step.used[seat] : null,
      yaku: yaku(doc, step, zone, seat),
    })),
    counters: counters.filter((one) => one.seat < 0),
    field: zone("field").cards,
    turned: zone("turned").cards,
    discard: zone("discard").cards,
    bottom: zone("bottom").cards,
    stock: zone("stock").count,
    lines: lines(doc, step, viewer),
    asked: viewer === OPEN || viewer === step.asked ? step.asked : -1,
    log: log(doc, at, viewer),
    unseen: seats.map((seat) => unseen(doc, step, seat)),
  };
}

function zonesOf(doc, view) {
  return new Map(view[2].map((index) => doc.zones[index]).map(([kind, seat, cards, count]) => [`${kind} ${seat}`, { cards, count }]));
}

function byKind(doc, cards) {
  return KINDS.map(([letters, kind]) => ({ kind, cards: cards.filter((card) => letters.includes(doc.cards[card].at(-1))) }))
    .filter((fan) => fan.cards.length);
}

function yaku(doc, step, zone, seat) {
  const held = zone(doc.yaku.some((row) => row.threes.length) ? "hand" : "pile", seat);
  if (held.cards.length < held.count) return [];
  return doc.progress[step.progress][seat]
    .slice().sort((a, b) => a[1] - b[1] || doc.yaku[b[0]].points - doc.yaku[a[0]].points || a[0] - b[0])
    .slice(0, MOST_YAKU)
    .map(([index, missing]) => {
      const row = doc.yaku[index];
      const drawn = row.cards.length <= MOST_DRAWN && !row.threes.length;
      const cards = drawn ? row.cards.map((card) => ({ card, held: held.cards.includes(card) })) : [];
      return { id: row.id, name: row.name, points: row.points, need: row.need, missing, cards };
    });
}

function lines(doc, step, viewer) {
  const indexes = viewer === OPEN ? step.told.at(-1) : step.told.at(viewer >= 0 ? viewer : -2);
  return indexes.map((index) => doc.lines[index]);
}

function log(doc, at, viewer) {
  const found = [];
  for (let index = 0; index <= at; index++) {
    if (doc.steps[index].deal !== doc.steps[at].deal) continue;
    for (const line of lines(doc, doc.steps[index], viewer)) found.push({ at: index, line });
  }
  return found;
}

function unseen(doc, step, seat) {
  if (!step.views[seat]) return [];
  const known = new Set([...zonesOf(doc, step.views[seat]).values()].flatMap((zone) => zone.cards));
  return doc.cards.map((_, card) => card).filter((card) => !known.has(card));
}
