// Writes the section of the kinds in the page of expectations: a table of each kind from its declaration.
import { expectationForms, expectationKinds } from '@floe/contract'
import { expectationKindNames } from '@floe/contract/lists'
import type { z } from 'zod'
import { replaceSection } from './replace-section.ts'

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

/** Writes the section of the kinds into docs/using/expectations.md. */
export function writeExpectationsPage(page: string): string {
  return replaceSection(page, '## Kinds', expectationKindNames.map(writeKind).join('\n'))
}
