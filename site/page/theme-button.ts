/** Switches between light and dark colours, and remembers the choice if the browser allows it. */
export function addThemeButton(): void {
  const button = document.querySelector<HTMLButtonElement>("button.theme")
  const root = document.documentElement
  const show = () => button?.setAttribute("aria-pressed", String(root.dataset.theme === "dark"))
  show()
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show)
  button?.addEventListener("click", () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark"
    show()
    try {
      localStorage.setItem("queryveil-theme", root.dataset.theme)
      localStorage.setItem("tsd-theme", root.dataset.theme) // the pages of the library
    } catch {
      // The choice lasts as long as the page.
    }
  })
}
