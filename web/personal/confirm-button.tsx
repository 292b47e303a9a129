import { useState } from "preact/hooks"

interface ConfirmButtonProps {
  children: string
  /** What is asked before it is done. */
  question: string
  /** Of what, for who hears the button alone. */
  of?: string
  onConfirm(): void
}

/** A button for what cannot be taken back: the first press asks, the second does it; leaving it, or Escape, forgets the first. */
export function ConfirmButton({ children, question, of, onConfirm }: ConfirmButtonProps) {
  const [isAsked, setAsked] = useState(false)
  const text = isAsked ? question : children
  return (
    <button
      type="button"
      aria-label={of === undefined ? text : `${text}: ${of}`}
      class={isAsked ? "plain danger asked" : "plain danger"}
      onBlur={() => setAsked(false)}
      onKeyDown={(event) => event.key === "Escape" && setAsked(false)}
      onClick={(event) => {
        // Safari does not focus a button by a click, and what has no focus cannot lose it.
        event.currentTarget.focus()
        setAsked(!isAsked)
        if (isAsked) onConfirm()
      }}
    >
      {text}
    </button>
  )
}
