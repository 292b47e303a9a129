import type { ComponentChildren } from "preact"

interface FrameProps {
  title: string
  /** Where what is shown comes from. */
  source: ComponentChildren
  children: ComponentChildren
}

/** A demo with its title, and a line that says where what it shows comes from. */
export function DemoFrame({ title, source, children }: FrameProps) {
  return (
    <section class="qv-demo" aria-label={`Demo: ${title}`}>
      <header class="qv-head">
        <h3>{title}</h3>
        <p class="qv-source">{source}</p>
      </header>
      {children}
    </section>
  )
}

/** The source of a demo that runs the method itself. */
export const runsHere = "Runs in this page on synthetic searches; nothing leaves it."
