/** Says that something was made from earlier settings. */
export function StaleBanner({ what, action, onAction }: { what: string; action: string; onAction(): void }) {
  return (
    <p class="notice">
      {what}{" "}
      <button type="button" class="plain" onClick={onAction}>
        {action}
      </button>
    </p>
  )
}
