import { addCopyButtons } from "./copy-buttons.ts"
import { followHeadings } from "./follow-headings.ts"
import { addMenu } from "./menu.ts"
import { addSearch } from "./search.ts"
import { addThemeButton } from "./theme-button.ts"

addThemeButton()
addMenu()
addSearch()
addCopyButtons()
followHeadings()
