/** Gives each block of code a button that copies it. */
export function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>(".code")) {
    const button = document.createElement("button")
    button.type = "button"
    button.className = "copy"
    button.textContent = "Copy"
    button.setAttribute("aria-label", "Copy the code")
    button.addEventListener("click", async () => {
      const isCopied = await copyText(block.querySelector("code")?.textContent ?? "")
      button.textContent = isCopied ? "Copied" : "Not copied"
      setTimeout(() => {
        button.textContent = "Copy"
      }, 1500)
    })
    block.append(button)
  }
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
