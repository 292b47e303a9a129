import type { Table } from "../../kernels/table.ts"
import type { FigureLink } from "../study.ts"
/** The CSS class for the state of a check. */
export declare const stateClass: (state: string) => string
/** HTML that is safe to insert into a page. `html` escapes everything else. */
export declare class Markup {
  readonly text: string
  constructor(text: string)
}
type Piece = string | number | Markup | readonly Markup[]
/** A template. It escapes every value that is not `Markup`. */
export declare function html(strings: TemplateStringsArray, ...values: readonly Piece[]): Markup
/** A self-contained page; `more` is extra CSS. */
export declare function page(title: string, body: Markup, more?: string): string
/**
 * Formats a number for readers: counts as integers, shares and rates with four decimals or in scientific notation,
 * large means with one decimal.
 */
export declare function formatCell(value: string | number): string
/** A table. The cells of one column may be links. */
export declare function htmlTable(table: Table, link?: FigureLink): Markup
