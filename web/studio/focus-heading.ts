/** Moves focus to the heading of the screen, when what had it is gone. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>("main h1")?.focus()
}
