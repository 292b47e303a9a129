/** Style of the report: two verdicts of equal size, and a first page that fits one sheet of A4 or Letter. */
export const reportStyle = `
.banner { border: 2px solid var(--bad); border-radius: 6px; padding: .6rem 1rem; margin: 1rem 0; font-weight: 600 }
.banner.unknown { border-color: var(--open); font-weight: 400 }
.verdicts {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1rem; margin: 1rem 0
}
.verdicts .verdict { margin: 0; border-left-width: 10px; padding: .8rem 1.1rem }
.verdict h2 { font-size: 1rem; margin: 0; color: var(--soft); font-weight: 600 }
.verdict .word { font-size: 1.5rem; line-height: 1.2; font-weight: 700; margin: .1rem 0 .4rem }
.verdict p { margin: .3rem 0 }
.verdict ul { margin: .2rem 0; padding-left: 1.2rem }
.verdict.good { border-left-color: var(--good) }
.good .word { color: var(--good) }
.verdict.warn { border-left-color: var(--open) }
.warn .word { color: var(--open) }
.verdict.bad { border-left-color: var(--bad); border-color: var(--bad) }
.bad .word { color: var(--bad) }
.verdict.plain { border-left-color: var(--line) }
.first h2 { margin: 1.4rem 0 .4rem }
.first ul { margin: .3rem 0; padding-left: 1.3rem }
.first .verdict h2 { margin: 0 }
.digests td { font-size: .85rem }
.digests td:first-child { white-space: nowrap }
.signature { margin-top: 3.2rem; flex-wrap: wrap }
.signature div { min-width: 8rem }
.decision { margin-top: 1rem }
.decision span { margin-right: 1.6rem; white-space: nowrap }
.appendix { border-top: 3px double var(--line); margin-top: 3rem }
.attack h3 { font-size: 1rem; margin: 1.2rem 0 .2rem }
.attack h3 small { font-weight: 400 }
.attack ul { margin: .3rem 0 }
.chip { font-weight: 600 }
.chip.warn { color: var(--open) }
.chip.bad { color: var(--bad) }
.parameters td:last-child { overflow-wrap: anywhere }
@media (max-width: 30rem) {
  .digests, .digests tbody, .digests tr, .digests td { display: block; white-space: normal }
  .digests thead { display: none }
  .digests td { border: 0; padding: .1rem 0 }
  .digests td.number { text-align: left }
  .digests tr { border-bottom: 1px solid var(--line); padding: .3rem 0 }
}
@page { size: auto; margin: 11mm 13mm }
@media print {
  .first { break-after: page; font-size: 8.4pt; line-height: 1.34 }
  .first h1 { font-size: 14pt }
  .first h2 { font-size: 9.6pt; margin: .5rem 0 .1rem }
  .first p { margin: .15rem 0 }
  .first ul { margin: .1rem 0 }
  .verdicts { grid-template-columns: 1fr 1fr; gap: .6rem; margin: .5rem 0 }
  .verdicts .verdict { padding: .4rem .7rem; border-left-width: 7px }
  .first .verdict h2 { font-size: 8.6pt; margin: 0 }
  .verdict .word { font-size: 13pt; margin: 0 0 .15rem }
  .banner { margin: .4rem 0; padding: .3rem .7rem }
  .columns { columns: 2; column-gap: 1.4rem }
  .columns > div { break-inside: avoid }
  .columns h2:first-child { margin-top: 0 }
  .digests { margin: .2rem 0 }
  .digests td, .digests th { font-size: 7.2pt; padding-top: .1rem; padding-bottom: .1rem }
  .digests code { font-size: 6.9pt }
  .signature { margin-top: 2.6rem }
  .decision { margin-top: .6rem }
  .appendix { border: 0; margin: 0 }
  .appendix h1 { font-size: 14pt }
}
`
