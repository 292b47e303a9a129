import type { ComponentChildren } from "preact"

interface StaleBannerProps {
  /** What was made from earlier settings, as the start of a sentence: `This draft`. */
  what: string
  /** The text of the button that makes it again. */
  action: string
  /** True while it is made again. */
  isBusy?: boolean
  onAgain(): void
  children?: ComponentChildren
}

/** Says that something was made from earlier settings, with a button that makes it again. */
export function StaleBanner({ what, action, isBusy = false, onAgain, children }: StaleBannerProps) {
  return (
    <div class="notice warn stale-banner">
      <p>
        <b>{what} was made from earlier settings.</b> {children ?? "It does not show the project as it is now."}
      </p>
      <button type="button" class="plain" disabled={isBusy} onClick={onAgain}>
        {action}
      </button>
    </div>
  )
}
