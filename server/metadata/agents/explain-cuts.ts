import type { Schema, SchemaOptions } from './dataset-schema.ts'
import type { Cut } from './excerpt.ts'

/**
 * Explains to an agent what an answer leaves out and how to request it, one line for each cut.
 *
 * @param part JSON pointer that the agent requested
 * @param canNameGroup whether the tool can also be asked about a single group
 */
export function explainCuts(cuts: readonly Cut[], part: string, canNameGroup: boolean): string[] {
  if (cuts.length === 0) return []
  const narrower = canNameGroup ? 'A `group` also narrows it.' : ''
  return [
    `This is not the whole answer. Ask again with \`part\`, \`skip\` and \`take\` for the rest. ${narrower}`.trim(),
    ...cuts.map((cut) => explainCut(cut, part)),
  ]
}

function explainCut({ pointer, unit, skipped, shown, of }: Cut, requested: string): string {
  const part = JSON.stringify(pointer)
  if (unit === 'bytes') {
    const more = pointer === requested ? 'the rest of a text cannot be read here' : 'request this part to get more'
    return `- part ${part}: the first ${shown} of ${of} bytes; ${more}`
  }
  const range = shown === 0 ? 'none' : `${skipped + 1} to ${skipped + shown}`
  const end = skipped + shown
  const rest = end < of ? `; continue with part ${part} and skip ${end}` : ''
  return `- part ${part}: ${unit} ${range} of ${of}${rest}`
}

/** Explains which variables a schema leaves out. */
export function explainLeftOut(
  { shown, selected, of }: Omit<Schema, 'text'>,
  { filter, skip }: Pick<SchemaOptions, 'filter' | 'skip'>,
): string[] {
  if (of === 0) return ['This group has no arrays. discovery_datasets lists the groups that have.']
  const left = selected - skip - shown
  return [
    ...(filter === '' ? [] : [`${selected} of ${of} variables match the filter.`]),
    ...(left > 0
      ? [`${left} more variables are left out: ask again with \`skip\` ${skip + shown}, or a \`filter\`.`]
      : []),
  ]
}
