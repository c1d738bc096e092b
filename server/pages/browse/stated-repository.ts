// What the metadata of a repository states of it, for its page: title, description, thumbnail and README.
import type { JsonObject } from '@floe/storage/json'
import { readFacts } from '../../self-description/read-facts.ts'
import { html } from '../html.ts'
import { linkAddresses } from '../link-addresses.ts'
import { clipText } from '../page-budget.ts'

const maxTitleLength = 200
const maxSummaryLength = 2_000
const maxReadmeLength = 20_000

/** The README is shown as it is written: foreign Markdown would bring pictures and markup of others. */
export function showStated(metadata: JsonObject) {
  const [, readme] = [...metadata].find(isReadme) ?? []
  const others: JsonObject = new Map([...metadata].filter((entry) => !isReadme(entry)))
  const { title, summary, thumbnail } = readFacts([others])
  return {
    title: title && clipText(title, maxTitleLength),
    summary,
    shownSummary: summary && clipText(summary, maxSummaryLength),
    // Only a link: a picture would tell its host who reads the page.
    thumbnail: thumbnail !== null && html`<a href="${thumbnail}" rel="noopener noreferrer nofollow">Thumbnail</a>`,
    readme:
      typeof readme === 'string' &&
      html`<section class="section" id="readme">
        <h2>README</h2>
        <pre tabindex="0" role="group" aria-label="README">${linkAddresses(clipText(readme, maxReadmeLength))}</pre>
      </section>`,
    others,
  }
}

function isReadme([name, value]: readonly [string, unknown]): boolean {
  return name.toLowerCase() === 'readme' && typeof value === 'string'
}
