import { useState } from "preact/hooks"

interface ConfirmButtonProps {
  children: string
  /** The text of the second press. */
  question: string
  /** What the button acts on, for screen readers. */
  of?: string
  onConfirm(): void
}

/**
 * A button for what cannot be undone: the first press asks, the second does it. Leaving the button, or Escape, cancels.
 */
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
