import { render } from "preact"
import { Page } from "./page.tsx"

const root = document.getElementById("page")
if (root !== null) render(<Page />, root)
