// What is wrong with how a page is laid out, as lines of text. Given: the least size of what is touched or clicked.
(least) => {
  const faults = [];
  const told = (one) => {
    const element = one.nodeType === Node.TEXT_NODE ? one.parentElement : one;
    const place = [element.localName, ...(element.id ? [`#${element.id}`] : [...element.classList].map((name) => `.${name}`))];
    return `<${place.join("")}> ${(one.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 50)}`;
  };
  const isSeen = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true }) && !element.closest(".visually-hidden, .skip");

  const extra = document.documentElement.scrollWidth - innerWidth;
  if (extra > 0) faults.push(`the page is ${extra} pixels too wide`);

  // What is left of a box when those that clip it have: null where nothing is.
  const clips = new Map();
  const clipOf = (element) => {
    if (!element || element === document.documentElement) return { left: -1e9, top: -1e9, right: 1e9, bottom: 1e9 };
    if (!clips.has(element)) {
      const { position } = getComputedStyle(element);
      let clip = clipOf(position === "fixed" ? null : element.parentElement);
      const style = getComputedStyle(element);
      if (element !== document.body && (style.overflowX !== "visible" || style.clipPath !== "none")) {
        const box = element.getBoundingClientRect();
        clip = {
          left: Math.max(clip.left, box.left), top: Math.max(clip.top, box.top),
          right: Math.min(clip.right, box.right), bottom: Math.min(clip.bottom, box.bottom),
        };
      }
      clips.set(element, clip);
    }
    return clips.get(element);
  };
  const clipped = (box, element) => {
    const clip = clipOf(element);
    const left = Math.max(box.left, clip.left), right = Math.min(box.right, clip.right);
    const top = Math.max(box.top, clip.top), bottom = Math.min(box.bottom, clip.bottom);
    return right - left > 1 && bottom - top > 1 ? { left, top, right, bottom } : null;
  };
  const floats = (element) => {
    for (let one = element; one; one = one.parentElement) if (["sticky", "fixed"].includes(getComputedStyle(one).position)) return one;
    return null;
  };

  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !isSeen(element) || ["SCRIPT", "STYLE", "OPTION", "TITLE", "title"].includes(element.nodeName)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      // Lines stand closer than their boxes are high: what is drawn is in the middle.
      const height = box.bottom - box.top;
      const seen = clipped({ left: box.left, right: box.right, top: box.top + height * 0.3, bottom: box.bottom - height * 0.25 }, element);
      if (seen) texts.push({ node, element, ...seen });
    }
    if (texts.at(-1)?.node !== node) continue; // nothing of it is seen
    let frame = element;
    for (; frame && frame !== document.body; frame = frame.parentElement) {
      const style = getComputedStyle(frame);
      if (style.overflowX !== "visible") { frame = null; break; }
      if (style.display !== "inline" && (style.borderRightStyle !== "none" || style.backgroundColor !== "rgba(0, 0, 0, 0)")) break;
    }
    if (frame && frame !== document.body && !(frame instanceof SVGElement)) {
      const [box, outer] = [range.getBoundingClientRect(), frame.getBoundingClientRect()];
      if (outer.width && (box.right > outer.right + 1 || box.left < outer.left - 1 || box.bottom - box.height * 0.3 > outer.bottom + 1))
        faults.push(`hangs out of ${told(frame).split(" ")[0]}: ${told(node)}`);
    }
    const style = getComputedStyle(element);
    const isClamped = style.clipPath !== "none" || style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
    if (["hidden", "clip"].includes(style.overflowX) && !isClamped && !element.matches(".site-name") && element.scrollWidth > element.clientWidth + 1) faults.push(`is cut off: ${told(node)}`);
  }

  const overlapping = (boxes, least, of) => {
    boxes.sort((one, other) => one.top - other.top);
    boxes.forEach((one, at) => {
      for (let next = at + 1; next < boxes.length && boxes[next].top < one.bottom - least; next++) {
        const other = boxes[next];
        const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const height = Math.min(one.bottom, other.bottom) - other.top;
        if (width <= least || height <= least || of(one) === of(other) || of(one).contains(of(other)) || of(other).contains(of(one))) continue;
        if (floats(one.element) !== floats(other.element)) continue;
        faults.push(`overlap by ${Math.round(width)} x ${Math.round(height)}: ${told(of(one))} | ${told(of(other))}`);
      }
    });
  };
  overlapping(texts, 2, (one) => one.node);

  const targets = [...document.querySelectorAll("a[href], button, select, input:not([type=hidden]), summary, label:has(input), textarea")].filter(isSeen);
  const boxes = targets.flatMap((element) => [...element.getClientRects()].map((box) => ({ element, ...clipped(box, element) })).filter((one) => "left" in one));
  overlapping(boxes, 4, (one) => one.element);

  // What else is a link stands in text, in a line of links that a phone's table leaves little room for, or is one of twelve months side by side: axe looks at these.
  for (const element of document.querySelectorAll("button, select, input:not([type=hidden]), summary, a.button, nav:not(.way, .timeline) a, a.language")) {
    const box = element.getBoundingClientRect();
    if (isSeen(element) && box.width && Math.min(box.width, box.height) < least - 0.1)
      faults.push(`is ${Math.round(box.width)} x ${Math.round(box.height)}, a target of at least ${least} is wanted: ${told(element)}`);
  }
  const header = document.querySelector(".site-header");
  if (header && innerWidth >= 1280 && header.getBoundingClientRect().height > 64) faults.push(`the header is ${header.getBoundingClientRect().height} pixels high`);
  return [...new Set(faults)];
}
