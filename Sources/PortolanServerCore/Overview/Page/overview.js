// The page of all maps: search, and buttons that copy.

const search = document.getElementById("search");
search?.addEventListener("input", () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const item of document.querySelectorAll("#maps > li")) {
    const title = [...item.querySelectorAll(":scope > h2, :scope > .name")].map((part) => part.textContent.toLowerCase()).join(" ");
    item.hidden = !words.every((word) => title.includes(word));
  }
});

/** Copies a text; pages without TLS have no clipboard of their own, but may copy what is selected. */
async function copy(source) {
  const text = source.value ?? source.textContent;
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (source.select) source.select();
    else getSelection().selectAllChildren(source);
    return document.execCommand("copy");
  }
}

for (const button of document.querySelectorAll("button[data-copies]")) {
  const word = button.textContent;
  button.addEventListener("click", async () => {
    button.textContent = (await copy(document.getElementById(button.dataset.copies))) ? "Copied" : "Press Ctrl+C";
    setTimeout(() => { button.textContent = word; }, 2000);
  });
}
