interface StaleBannerProps {
  /** What was made from earlier settings: `The draft`. */
  what: string
  /** The text of the button that makes it again. */
  action: string
  onAction(): void
}

/** Says that something was made from earlier settings, with a button that makes it again. */
export function StaleBanner({ what, action, onAction }: StaleBannerProps) {
  return (
    <div class="notice warn stale-banner">
      <p>
        <b>{what}: made from earlier settings.</b> The project has changed since then.
      </p>
      <button type="button" class="plain" onClick={onAction}>
        {action}
      </button>
    </div>
  )
}
