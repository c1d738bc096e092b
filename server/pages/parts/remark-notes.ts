// What administrators say of what a page shows.
import type { Remark } from '@floe/contract'
import { html, type Html } from '../html.ts'
import { clipText } from '../page-budget.ts'
import type { PageLinks } from '../page-links.ts'

/** Maximum number of remarks that are shown in one place; the others are counted. */
const maxShown = 10

const maxPathLength = 200

const headlines: Readonly<Record<Remark['kind'], string>> = { note: 'Note', retraction: 'Retracted' }

/** Shows remarks, and what to use instead. */
export function remarkNotes(remarks: readonly Remark[], links: PageLinks): Html | false {
  const more = remarks.length - maxShown
  return (
    remarks.length > 0 &&
    html`<ul class="remarks" aria-label="Remarks">
      ${remarks.slice(0, maxShown).map((remark) => {
        const { kind, path, text, superseded_by: successor } = remark
        return html`<li class="${kind}">
          <strong>${headlines[kind]}</strong>${path !== null && html` <code>${clipText(path, maxPathLength)}</code>`}:
          <bdi>${text}</bdi>
          ${
            successor &&
            html`<a href="${linkSuccessor(successor, links)}" rel="nofollow noopener"
              >Use ${clipText(nameSuccessor(successor), maxPathLength)}</a
            >`
          }
        </li>`
      })}
      ${more > 0 && html`<li>and ${more.toLocaleString('en')} more</li>`}
    </ul>`
  )
}

/** Writes a remark in a line: `Retracted: ...`. */
export function writeRemark({ kind, path, text, superseded_by: successor }: Remark): string {
  const about = path === null ? '' : ` (${path})`
  return `${headlines[kind]}${about}: ${text}${successor ? ` (use ${nameSuccessor(successor)})` : ''}`
}

type Successor = NonNullable<Remark['superseded_by']>

/** The page of what is to be used instead; an https URL if it is a link. */
export function linkSuccessor({ repo, ref, link }: Successor, links: PageLinks): string {
  if (link !== null || repo === null) return link ?? links.home
  return ref === null ? links.repository(repo) : links.ref(repo, ref)
}

function nameSuccessor({ repo, ref, link }: Successor): string {
  return link ?? [repo, ref].filter((name) => name !== null).join(' ')
}
