// Writes the section of the kinds in the page of expectations: a table of each kind from its declaration.
import { expectationForms, expectationKinds } from '@floe/contract'
import { expectationKindNames } from '@floe/contract/lists'
import type { z } from 'zod'

const document = '| `contract` | required: the [document](breaking-changes.md#contracts) |'

/** Writes a row of each member of a shape. */
function writeRows(shape: Readonly<Record<string, z.ZodType>>, note: string): string[] {
  return Object.entries(shape).map(([name, schema]) => {
    const meaning = (schema.description ?? '').replaceAll('|', '\\|')
    return `| \`${name}\` | ${note}${note === '' ? meaning : `${meaning[0]?.toLowerCase()}${meaning.slice(1)}`} |`
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
    '| fact | meaning |\n| --- | --- |',
    `${writeRows(expectationForms[name].facts.shape, '').join('\n')}\n`,
  ].join('\n')
}

/**
 * Writes the section of the kinds into docs/using/expectations.md; the rest is written by hand.
 *
 * @throws Error if the page has no such section
 */
export function writeExpectationsPage(page: string): string {
  const [start, end] = [page.indexOf('\n## Kinds\n'), page.indexOf('\n## Rules\n')]
  if (start < 0 || end < start) throw new Error('docs/using/expectations.md lacks the sections Kinds and Rules')
  const kinds = expectationKindNames.map(writeKind).join('\n')
  return `${page.slice(0, start)}\n## Kinds\n\n${kinds}${page.slice(end)}`
}
