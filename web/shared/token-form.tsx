import { useState } from "preact/hooks"

/** Asks for the token of the page's server. */
export function TokenForm({ action, onToken }: { action: string; onToken: (token: string) => void }) {
  const [typed, setTyped] = useState("")
  return (
    <form
      class="token"
      onSubmit={(event) => {
        event.preventDefault()
        onToken(typed.trim())
      }}
    >
      <label>
        Token
        <input
          type="password"
          name="token"
          required
          autocomplete="off"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      <button type="submit">{action}</button>
    </form>
  )
}
