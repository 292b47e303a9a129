/** Says that something was made from earlier settings. */
export function StaleBanner({ what, action, onAction }: { what: string; action: string; onAction(): void }) {
  return (
    <div class="notice">
      <p>{what}: made from earlier settings.</p>
      <button type="button" onClick={onAction}>
        {action}
      </button>
    </div>
  )
}
