// Writes a citation as text, BibTeX and CSL-JSON.
import type { Citation } from '@floe/contract'
import type { PlainJson } from '@floe/storage/json'
import { listProducers, type StatedFacts } from './read-facts.ts'

/** What is cited, besides what attributes state. */
export type CitedSnapshot = {
  readonly repository: string
  /** Path of the group; `''` for the root. */
  readonly group: string
  readonly snapshotId: string
  readonly writtenAt: Date
  /** Absolute address of the page of the group at this snapshot. */
  readonly url: string
  /** Why it is retracted; null if it is not. */
  readonly retraction: string | null
}

const maxLicenceLength = 1_024

/** A citation, whose CSL-JSON can be written again. */
export type WrittenCitation = Omit<Citation, 'csl' | 'open_address' | 'code'> & {
  readonly csl: { readonly [member: string]: PlainJson }
}

type CitedFacts = Pick<StatedFacts, 'title' | 'creators' | 'institution' | 'doi' | 'licence'>

/** Writes how to cite a group at a snapshot. An institution counts as the creator if no other is stated. */
export function writeCitation(stated: CitedFacts, cited: CitedSnapshot): WrittenCitation {
  const { doi, licence } = stated
  const { repository, group, snapshotId, writtenAt, url, retraction } = cited
  const source = group === '' ? repository : `${repository}/${group}`
  const title = toLine(stated.title ?? source)
  const names = listProducers(stated).map(({ name }) => toLine(name))
  const day = writtenAt.toISOString().slice(0, 10)
  const year = day.slice(0, 4)
  const key = `${repository.replaceAll(/[^A-Za-z0-9]+/g, '-')}_${snapshotId}`
  const mark = retraction === null ? '' : ', retracted'
  const note = `${toLine(source)}, snapshot ${snapshotId}, ${day}${mark}`
  const begin = names.length === 0 ? `${title} (${year}).` : `${names.join('; ')} (${year}): ${title}.`
  return {
    title,
    creators: names,
    repository,
    group,
    snapshot_id: snapshotId,
    written_at: writtenAt.toISOString(),
    url,
    doi,
    retraction,
    licence: licence && {
      text: toLine(licence.text).slice(0, maxLicenceLength).toWellFormed(),
      attribute: licence.attribute,
      spdx: licence.spdx,
    },
    text: [begin, `${note}.`, ...(doi === null ? [] : [`https://doi.org/${doi}`]), url].join(' '),
    bibtex: writeBibtex(key, {
      author: names.length === 0 ? undefined : names.map((name) => `{${escapeBibtex(name)}}`).join(' and '),
      title: `{${escapeBibtex(title)}}`,
      year,
      version: snapshotId,
      note: escapeBibtex(note),
      doi: doi ?? undefined,
      url,
    }),
    csl: {
      id: key,
      type: 'dataset',
      title,
      ...(names.length > 0 && { author: names.map((literal) => ({ literal })) }),
      issued: { 'date-parts': [day.split('-').map(Number)] },
      version: snapshotId,
      note,
      ...(doi !== null && { DOI: doi }),
      URL: url,
    },
  }
}

/** @param fields values that are escaped; addresses and DOIs contain no braces */
function writeBibtex(key: string, fields: Readonly<Record<string, string | undefined>>): string {
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`  ${name} = {${value}}`],
  )
  return `@misc{${key},\n${lines.join(',\n')}\n}\n`
}

/** What LaTeX reads as a character. Braces have names, because BibTeX counts them even after a backslash. */
const bibtexEscapes: Readonly<Record<string, string>> = {
  '\\': '{\\textbackslash}',
  '{': '{\\textbraceleft}',
  '}': '{\\textbraceright}',
  '~': '{\\textasciitilde}',
  '^': '{\\textasciicircum}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  '%': '\\%',
  _: '\\_',
}

/** Escapes a text so that neither BibTeX nor LaTeX reads a command in it. */
function escapeBibtex(text: string): string {
  return text.replaceAll(/[\\{}~^$&#%_]/g, (character) => bibtexEscapes[character] ?? character)
}

/** Makes one line of a text, without control characters. */
function toLine(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toWellFormed()
}
