// A button that copies code.
addEventListener("DOMContentLoaded", () => {
  for (const block of document.querySelectorAll(".code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      button.textContent = (await copied(block.querySelector("code"))) ? "Copied" : "Press Ctrl-C";
      setTimeout(() => {
        button.textContent = "Copy";
      }, 1_500);
    });
    block.append(button);
  }
});

/** Browsers give the clipboard to pages over https and of this machine; elsewhere text is selected. */
async function copied(code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(code);
    return false;
  }
}
