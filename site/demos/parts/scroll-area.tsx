import type { ComponentChildren } from "preact"

interface AreaProps {
  name: string
  isTall?: boolean
  children: ComponentChildren
}

/** A part of a demo that scrolls by itself. Browsers let the keyboard reach and scroll it. */
export function ScrollArea({ name, isTall = false, children }: AreaProps) {
  return (
    <section class={isTall ? "qv-scroll qv-tall" : "qv-scroll"} aria-label={name}>
      {children}
    </section>
  )
}
