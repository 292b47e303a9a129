import { excerptOf, markWords } from "./excerpt.ts"
import { type Found, loadFinder } from "./find-sections.ts"

const base = document.documentElement.dataset.base ?? ""
const most = 12

/** The search in the header: `/` goes there, arrows move through the results, Enter opens one, Escape closes them. */
export function addSearch(): void {
  const input = document.querySelector<HTMLInputElement>("#search")
  const list = document.querySelector<HTMLElement>("#results")
  const status = document.querySelector<HTMLElement>(".said")
  if (input === null || list === null || status === null) return
  let active = -1

  const setOpen = (isOpen: boolean) => {
    list.hidden = !isOpen
    input.setAttribute("aria-expanded", String(isOpen))
    if (!isOpen) activate(-1)
  }
  const activate = (at: number) => {
    const options = [...list.querySelectorAll<HTMLElement>("[role=option]")]
    options[active]?.setAttribute("aria-selected", "false")
    active = options.length === 0 || at < 0 ? -1 : at % options.length
    const option = options[active]
    option?.setAttribute("aria-selected", "true")
    option?.scrollIntoView({ block: "nearest" })
    if (option === undefined) input.removeAttribute("aria-activedescendant")
    else input.setAttribute("aria-activedescendant", option.id)
  }
  const update = async () => {
    const query = input.value.trim()
    if (query === "") return setOpen(false)
    const find = await loadFinder(base)
    if (query !== input.value.trim()) return
    const found = find(query).slice(0, most)
    list.replaceChildren(...(found.length === 0 ? [emptyNote(query)] : found.map(showResult)))
    status.textContent = `${found.length} results`
    setOpen(true)
    activate(found.length === 0 ? -1 : 0)
  }

  input.addEventListener("focus", () => void loadFinder(base).then(update))
  input.addEventListener("input", () => void update())
  input.addEventListener("keydown", (event) => {
    const count = list.querySelectorAll("[role=option]").length
    if (event.key === "ArrowDown") activate(active + 1)
    else if (event.key === "ArrowUp") activate(active <= 0 ? count - 1 : active - 1)
    else if (event.key === "Enter") list.querySelectorAll<HTMLAnchorElement>("[role=option]")[active]?.click()
    else if (event.key === "Escape") setOpen(false)
    else return
    event.preventDefault()
  })
  // A link to a section of this page loads nothing, so the results are closed here.
  list.addEventListener("click", () => {
    setOpen(false)
    input.blur()
  })
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.closest("input, textarea, select") !== null
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
    input.select()
  })
  document.addEventListener("pointerdown", ({ target }) => {
    if (target instanceof Node && !list.contains(target) && target !== input) setOpen(false)
  })
}

function showResult({ path, heading, page, text, words }: Found, i: number): HTMLElement {
  const link = document.createElement("a")
  link.href = base + path
  link.id = `result-${i}`
  link.tabIndex = -1
  link.setAttribute("role", "option")
  link.setAttribute("aria-selected", "false")
  link.append(
    part("small", page),
    part("strong", ...markWords(heading, words)),
    part("span", ...markWords(excerptOf(text, words), words)),
  )
  return link
}

function part(tag: string, ...content: (Node | string)[]): HTMLElement {
  const element = document.createElement(tag)
  element.append(...content)
  return element
}

const emptyNote = (query: string) => part("p", `Nothing found for “${query}”.`)
