import type { Cut } from './excerpt.ts'

/** Tells an agent what an answer leaves out, and how to ask for it. One line each. */
export function explainCuts(cuts: readonly Cut[], part: string, canNameGroup: boolean): string[] {
  if (cuts.length === 0) return []
  const narrower = canNameGroup ? 'A `group` narrows it, too.' : ''
  return [
    `This is not the whole answer. Ask again with \`part\`, \`skip\` and \`take\` for the rest. ${narrower}`.trim(),
    ...cuts.map((cut) => explainCut(cut, part)),
  ]
}

function explainCut({ pointer, unit, skipped, shown, of }: Cut, asked: string): string {
  const part = JSON.stringify(pointer)
  if (unit === 'bytes') {
    const more = pointer === asked ? 'no more of a text can be read here' : 'alone, it has room for more'
    return `- part ${part}: the first ${shown} of ${of} bytes; ${more}`
  }
  const range = shown === 0 ? 'none' : `${skipped + 1} to ${skipped + shown}`
  const end = skipped + shown
  const rest = end < of ? `; go on with part ${part} and skip ${end}` : ''
  return `- part ${part}: ${unit} ${range} of ${of}${rest}`
}
