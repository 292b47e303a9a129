import type { ComponentChildren } from "preact"

interface PanelProps {
  title: string
  aside?: ComponentChildren
  children: ComponentChildren
}

/** A card with a heading, and something at the other end of the heading. */
export function Panel({ title, aside, children }: PanelProps) {
  const id = `panel-${title.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`
  return (
    <section class="panel" aria-labelledby={id}>
      <div class="head">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
