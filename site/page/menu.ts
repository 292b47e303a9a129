/** Opens and closes the sidebar on a small screen, and scrolls it to the present page. */
export function addMenu(): void {
  const button = document.querySelector<HTMLButtonElement>("button.menu")
  const sidebar = document.querySelector<HTMLElement>(".sidebar")
  if (button === null || sidebar === null) return
  const current = sidebar.querySelector<HTMLElement>("[aria-current]")
  const showCurrent = () => {
    if (current !== null) sidebar.scrollTop = current.offsetTop - sidebar.clientHeight / 2
  }
  const setOpen = (isOpen: boolean) => {
    button.setAttribute("aria-expanded", String(isOpen))
    document.body.classList.toggle("menu-open", isOpen)
    if (isOpen) showCurrent()
  }
  button.addEventListener("click", () => setOpen(button.getAttribute("aria-expanded") !== "true"))
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || button.getAttribute("aria-expanded") !== "true") return
    setOpen(false)
    button.focus()
  })
  showCurrent()
}
