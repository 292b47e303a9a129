/** Marks the heading that is being read in the contents of the page. */
export function followHeadings(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>(".contents a")].map((link) => [link.hash.slice(1), link]),
  )
  const headings = [...document.querySelectorAll<HTMLElement>("article :is(h2, h3)[id]")]
  if (links.size === 0) return
  let marked: HTMLAnchorElement | undefined
  const mark = () => {
    const passed = headings.findLast((heading) => heading.getBoundingClientRect().top < 120)
    const link = links.get(encodeURIComponent(passed?.id ?? "")) ?? links.get(passed?.id ?? "")
    if (link === marked) return
    marked?.removeAttribute("aria-current")
    link?.setAttribute("aria-current", "true")
    marked = link
  }
  new IntersectionObserver(mark, { threshold: [0, 1] }).observe(document.documentElement)
  addEventListener("scroll", mark, { passive: true })
  mark()
}
