// Writes the tables of each kind of expectations from its declaration: its settings in the page for users, its facts in
// that for the team.
import { expectationForms, expectationKinds } from '@floe/contract'
import { expectationKindNames } from '@floe/contract/lists'
import type { z } from 'zod'
import { replaceSection } from './replace-section.ts'

const document = '| `contract` | required: the [document](breaking-changes.md#contracts) |'

/** How the contract explains patterns at each of them; the page links to it once. */
const patterns = ': `*` stands for any characters except `/`, `**` for any characters, `?` for one except `/`'

/** How the contract says what an optional setting means that is not given. */
const defaultText = /\bNull, the default, means (?:that )?/

/** Writes a row of each member of a shape. */
function writeRows(shape: Readonly<Record<string, z.ZodType>>, note: string): string[] {
  return Object.entries(shape).map(([name, schema]) => {
    const meaning = (schema.description ?? '').replace(patterns, '').replaceAll('|', '\\|')
    const noted = note === '' ? meaning : `${note}${meaning[0]?.toLowerCase()}${meaning.slice(1)}`
    return `| \`${name}\` | ${noted.replace(defaultText, 'Default: ')} |`
  })
}

function writeKind(name: (typeof expectationKindNames)[number]): string {
  const { title, meaning, required, optional, ...others } = expectationKinds[name]
  const settings = [
    ...writeRows(required, 'required: '),
    ...('hasDocument' in others ? [document] : []),
    ...writeRows(optional, 'optional: '),
  ]
  return [
    `### ${title}\n`,
    `\`"kind": "${name}"\`. ${meaning}.\n`,
    '| setting | meaning |\n| --- | --- |',
    `${settings.join('\n')}\n`,
  ].join('\n')
}

function writeFacts(name: (typeof expectationKindNames)[number]): string {
  const rows = writeRows(expectationForms[name].facts.shape, '')
  return `### ${expectationKinds[name].title}\n\n| fact | meaning |\n| --- | --- |\n${rows.join('\n')}\n`
}

/** Writes the section of the kinds into docs/using/expectations.md. */
export function writeExpectationsPage(page: string): string {
  return replaceSection(page, '## Kinds', expectationKindNames.map(writeKind).join('\n'))
}

/** Writes the section of the facts into docs/internals/expectations.md. */
export function writeExpectationRulesPage(page: string): string {
  return replaceSection(page, '## Facts', expectationKindNames.map(writeFacts).join('\n'))
}
