// The section of a page that says how to cite its dataset, and under which licence it may be used.
import type { Citation } from '@floe/contract'
import { html, type Html } from '../html.ts'
import { linkAddresses } from '../link-addresses.ts'

/** The licence as a fact, and the citation as foldable boxes. */
export function citationSection({ licence, text, bibtex, csl }: Citation): Html {
  return html`<section class="snippets" aria-labelledby="cite">
    <h2 id="cite">Cite and use</h2>
    <p>${licenceText(licence)}</p>
    ${box('Text', text)} ${box('BibTeX', bibtex)} ${box('CSL-JSON', JSON.stringify([csl], null, 2))}
  </section>`
}

function licenceText(licence: Citation['licence']): Html {
  if (licence === null) return html`No licence stated.`
  const { spdx, text, attribute } = licence
  return html`Licence: ${spdx !== null && spdx !== text && html`<b>${spdx}</b>,`} ${linkAddresses(text)}
    <small>(attribute ${attribute})</small>`
}

function box(name: string, content: string): Html {
  return html`<details name="citation">
    <summary>${name}</summary>
    <pre data-copy tabindex="0" role="group" aria-label="${name}"><code>${content}</code></pre>
  </details>`
}
