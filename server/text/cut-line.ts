// The line of text that tells an event to a chat.
import { takeCodePoints } from './shorten.ts'

const maxLineLength = 2_000

/** Runs of tabs and line breaks, each replaced by one space. */
const breaks = /[\t-\r\u0085\u2028\u2029]+/g

/** Control characters, and characters that change the direction of text. */
const invisible = /[\p{Cc}\p{Bidi_Control}]/gu

/** Cuts a text to one line of plain text, whatever it contains. */
export function cutLine(text: string): string {
  return takeCodePoints(text.replace(breaks, ' ').replace(invisible, '').toWellFormed(), maxLineLength)
}
