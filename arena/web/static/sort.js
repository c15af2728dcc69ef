// Sorts a table in place: its headings are links to the page in that order, of which only the table is taken.
document.addEventListener("click", async (event) => {
  const heading = event.target.closest("a[data-sort]");
  if (!heading || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const answer = await fetch(heading.href).catch(() => null);
  if (!answer?.ok) { location.href = heading.href; return; }
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [section, place] = [heading.closest("[id]").id, heading.closest("th")?.cellIndex];
  for (const table of document.querySelectorAll("table:has(a[data-sort])")) {
    const { id } = table.closest("[id]");
    const sorted = fresh.getElementById(id)?.querySelector("table:has(a[data-sort])");
    if (sorted) table.replaceWith(document.importNode(sorted, true));
  }
  const head = document.getElementById(section).querySelector("table:has(a[data-sort])").tHead.rows[0];
  head.cells[place]?.querySelector("a").focus();
  history.replaceState(null, "", heading.href);
});
