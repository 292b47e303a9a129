/**
 * Sets the colours before the page is drawn: as the reader chose, or else as the system has them. Storage may refuse a
 * page that is opened from a folder.
 */
const system = matchMedia("(prefers-color-scheme: dark)")

function chosenTheme(): string | null {
  try {
    return localStorage.getItem("queryveil-theme")
  } catch {
    return null
  }
}

function applyTheme(): void {
  const chosen = chosenTheme()
  const isDark = chosen === null ? system.matches : chosen === "dark"
  document.documentElement.dataset.theme = isDark ? "dark" : "light"
}

applyTheme()
system.addEventListener("change", applyTheme)
