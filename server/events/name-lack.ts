import type { Lack } from '@floe/storage/database'
import { shorten } from '../text/shorten.ts'

/** Longest text of others in words, in code points. */
const maxTextLength = 200

const states: ReadonlyMap<string, string> = new Map(
  Object.entries({
    missing: 'is missing',
    pending: 'is pending',
    failed: 'failed',
    error: 'was not made',
    unmet: 'is not met',
    retracted: 'was retracted',
  } satisfies Record<Lack['state'], string>),
)

/** What a head lacks. A later version of a service may have other kinds and states. */
type NamedLack = Pick<Lack, 'name' | 'text'> & { readonly kind: string; readonly state: string }

/** Says what a head lacks to be good: `quality failed: step 12 is NaN`. */
export function nameLack({ kind, name, state, text }: NamedLack): string {
  const said = states.get(state) ?? state
  const words = kind === 'retraction' ? said : `${name} ${said}`
  return text === null ? words : `${words}: ${shorten(text, maxTextLength)}`
}
