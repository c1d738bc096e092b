import { makeStorable } from '@floe/storage/storable-text'
import { shorten } from '../../text/shorten.ts'

/** Cuts a text for the index, and replaces the characters that databases refuse. Lengths are in code points. */
export function cutText(text: string, maxLength: number): string {
  return makeStorable(shorten(text, maxLength))
}
