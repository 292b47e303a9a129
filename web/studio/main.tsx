import { render } from "preact"
import { exchangeCode } from "../shared/exchange-code.ts"
import { tokenName } from "./api.ts"
import { Page } from "./page.tsx"

const root = document.getElementById("page")
void exchangeCode(tokenName).then(() => {
  if (root !== null) render(<Page />, root)
})
