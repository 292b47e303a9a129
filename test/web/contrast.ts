/**
 * Contrast by WCAG 2 of the first element that each selector finds; 0 if it finds none. It runs in the page, so it can
 * use nothing from outside itself.
 */
export function contrastsOf(selectors: string[]): (readonly [string, number])[] {
  const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number)
  const scale = (color: string) => (color.startsWith("color(") ? 1 : 255)
  const light = (color: string) => {
    const [r = 0, g = 0, b = 0] = channels(color.replace("srgb", "")).map((value) => {
      const share = value / scale(color)
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const isClear = (color: string) => /, 0(\.\d+)?\)$|\/ [\d.]+\)$/.test(color)
  const groundOf = (element: Element | null): string => {
    if (element === null) return "rgb(255, 255, 255)"
    const { backgroundColor } = getComputedStyle(element)
    return isClear(backgroundColor) ? groundOf(element.parentElement) : backgroundColor
  }
  return selectors.map((selector) => {
    const element = [...document.querySelectorAll(selector)].find((element) => element.getClientRects().length > 0)
    if (element === undefined) return [selector, 0] as const
    const [a, b] = [light(getComputedStyle(element).color), light(groundOf(element))]
    return [selector, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)] as const
  })
}
