import type { Lack } from '@floe/storage/database'
import { shorten } from '../text/shorten.ts'

/** Longest text of others in words, in code points. */
const maxTextLength = 200

const states: { readonly [State in Lack['state']]: string } = {
  missing: 'is missing',
  pending: 'is pending',
  failed: 'failed',
  error: 'was not made',
  unmet: 'is not met',
  retracted: 'was retracted',
}

/** Says what a head lacks to be good: `quality failed: step 12 is NaN`. */
export function nameLack({ kind, name, state, text }: Lack): string {
  const words = kind === 'retraction' ? states[state] : `${name} ${states[state]}`
  return text === null ? words : `${words}: ${shorten(text, maxTextLength)}`
}
