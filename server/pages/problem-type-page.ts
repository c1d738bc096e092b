import { html } from './html.ts'
import { layout } from './layout.ts'

/** What the page behind a problem's `type` address shows. */
export type ProblemTypePageData = { readonly status: number; readonly title: string; readonly meaning: string }

/** The page about one kind of problem, as a document. */
export function problemTypePage({ status, title, meaning }: ProblemTypePageData, stylesheet: string): string {
  return layout({
    title: [title],
    stylesheet,
    breadcrumbs: [],
    footer: [],
    main: html`<div class="masthead">
        <div>
          <p class="kind">Status ${status}</p>
          <h1>${title}</h1>
        </div>
      </div>
      <div class="problem"><p class="detail">${meaning}</p></div>`,
  })
}
