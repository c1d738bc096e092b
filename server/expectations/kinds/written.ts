import type { IncompleteArray } from '@floe/contract'
import { readJsonBytes } from '@floe/storage/json'
import { describeShare } from '../../pages/parts/written-chunks.ts'
import { listFirst } from '../../text/list-first.ts'
import { askAboutHead } from '../ask-about-head.ts'
import type { FactsOf, Kind } from '../kind.ts'

/** Maximum number of arrays in words. */
const maxNamedArrays = 3

/** Which share of the chunks of each array of a branch must be written. */
export const written: Kind<'written'> = {
  asks: 'head',
  judge: (toJudge) => {
    const { path, share } = toJudge.settings
    return askAboutHead(
      toJudge,
      () => ({ kind: 'completeness-judgement', path, share }),
      (answer) => {
        const { verdict, arrays, incompleteArrays, reason } = readJsonBytes(answer)
        if (verdict === 'unknown') return { verdict, reason: reason ?? 'it is not known why', mayPass: false }
        const facts = { arrays: [...arrays], incomplete_arrays: incompleteArrays } satisfies FactsOf<'written'>
        return { verdict: verdict === 'incomplete' ? 'unmet' : 'met', facts, ...(reason !== null && { reason }) }
      },
    )
  },
  words: {
    unmet: ({ settings, facts, reason }) => {
      const arrays = nameArrays(facts, (written, total) => `has ${written} of ${total} chunks written`)
      const words = facts.incomplete_arrays === 0 && reason !== null ? [reason] : arrays
      return `is incomplete: ${words.join('; ')}, expected ${settings.share}`
    },
    met: () => 'is complete again',
    state: ({ settings, facts }, state) => {
      const share = settings.share.toLocaleString('en', { style: 'percent', maximumFractionDigits: 3 })
      const arrays = nameArrays(facts, (written, total) => describeShare({ written, total }))
      const found = { met: ': enough written', unmet: [': fewer written', ...arrays].join(', '), unknown: '' }[state]
      return `${share} of the chunks expected${found}`
    },
  },
}

function nameArrays(
  {
    arrays,
    incomplete_arrays: count,
  }: { readonly arrays: readonly IncompleteArray[]; readonly incomplete_arrays: number },
  describe: (written: number, total: number) => string,
): readonly string[] {
  const words = arrays.map(({ path, chunks }) => `${path} ${describe(chunks.written, chunks.total)}`)
  return listFirst(words, maxNamedArrays, count)
}
