// Tables of pages.
import { html, type Html, type HtmlValue } from '../html.ts'

/** A table with these headings above its columns. */
export function dataTable(headings: readonly string[], rows: HtmlValue, name?: string): Html {
  return html`<table${name !== undefined && html` class="${name}"`}>
    <thead>
      <tr>
        ${headings.map((heading) => html`<th scope="col">${heading}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`
}

/** A table below a drawing, for those who cannot see it. */
export function foldedTable(headings: readonly string[], rows: HtmlValue, note?: HtmlValue): Html {
  return html`<details>
    <summary>Table</summary>
    ${dataTable(headings, rows)} ${note}
  </details>`
}
