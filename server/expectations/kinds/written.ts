import type { IncompleteSteps, WrittenChunks } from '@floe/contract'
import { readJsonBytes } from '@floe/storage/json'
import { formatShare } from '../../pages/parts/format-count.ts'
import { listFirst } from '../../text/list-first.ts'
import { askAboutHead } from '../ask-about-head.ts'
import { type FactsOf, type Found, type Kind, nameHead } from '../kind.ts'

/** Maximum number of arrays, or of ranges of steps, in words. */
const maxNamed = 3

/** Which share of the chunks of each array of a branch, or of each of its steps, must be written. */
export const written: Kind<'written'> = {
  asks: 'head',
  judge: (toJudge) => {
    const { path, share, along, except_last: exceptLast, ignore, accepted } = toJudge.settings
    const steps = along !== null && {
      along,
      exceptLast: exceptLast ?? 0,
      ignore: ignore ?? [],
      accepted: accepted ?? [],
    }
    return askAboutHead(
      toJudge,
      () =>
        steps ? { kind: 'gaps-judgement', path, share, ...steps } : { kind: 'completeness-judgement', path, share },
      (answer) => {
        const { verdict, arrays, incompleteArrays, gaps, incompleteRanges, reason } = readJsonBytes(answer)
        if (verdict === 'unknown') return { verdict, reason: reason ?? 'it is not known why', mayPass: false }
        const facts = {
          arrays: [...arrays],
          incomplete_arrays: incompleteArrays,
          gaps: [...gaps],
          incomplete_ranges: incompleteRanges,
        } satisfies FactsOf<'written'>
        return { verdict: verdict === 'incomplete' ? 'unmet' : 'met', facts, ...(reason !== null && { reason }) }
      },
    )
  },
  words: {
    unmet: (told) => {
      const { settings, facts, reason } = told
      const isNowhere = facts.incomplete_arrays === 0 && reason !== null
      const words = isNowhere ? [reason] : nameFound(told, describeWhole)
      // Steps have their numbers in the words.
      const isSaid = settings.along !== null && settings.share === 1
      const expected = isSaid ? '' : `, expected ${settings.share}`
      return ['INCOMPLETE', words.join('; ') + expected + nameHead(told)]
    },
    met: (told) => ['COMPLETE', `what was missing is written${nameHead(told)}`],
    state: (found, state) => {
      const { share, along } = found.settings
      const percent = share.toLocaleString('en', { style: 'percent', maximumFractionDigits: 3 })
      const chunks = `${percent} of the chunks${along === null ? '' : ` of each ${along}`} expected`
      const unmet = [': fewer written', ...nameFound(found, formatShare)].join(', ')
      return chunks + { met: ': enough written', unmet, unknown: '' }[state]
    },
  },
}

function describeWhole({ written, total }: WrittenChunks): string {
  return `has ${written} of ${total} chunks written`
}

/** Names the first steps or arrays with fewer chunks, and says how many there are. */
function nameFound(
  { settings, facts }: Found<'written'>,
  describe: (chunks: WrittenChunks) => string,
): readonly string[] {
  if (settings.along !== null) return listFirst(facts.gaps.map(nameSteps), maxNamed, facts.incomplete_ranges)
  const words = facts.arrays.map(({ path, chunks }) => `${path} ${describe(chunks)}`)
  return listFirst(words, maxNamed, facts.incomplete_arrays)
}

/** `temperature lacks init_time 7 of 20 (0 of 10 chunks)`. */
function nameSteps({ path, along, first, last, written, total, of }: IncompleteSteps): string {
  const [steps, each] = first === last ? [first, ''] : [`${first} to ${last}`, ' each']
  return `${path} lacks ${along} ${steps} of ${of} (${formatShare({ written, total })} chunks${each})`
}
