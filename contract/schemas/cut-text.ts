// Texts of commits, which can have any length, in answers and notifications that do not carry them whole.
import { z } from 'zod'

/** Longest texts of a commit in a notification, in Unicode code points. */
export const maxNotifiedLength = { message: 16_384, author: 1_024 } as const

/** Longest texts of a commit in the summary of a repository, in Unicode code points. */
export const maxSummarizedLength = 1_024

/** Describes a text that is cut. JSON Schema and zod count its characters in code points. */
export function cutText(maxLength: number, description: string) {
  const limit = maxLength.toLocaleString('en')
  const rule = `At most ${limit} characters (Unicode code points): a longer text is cut, and its last character is then \`…\``
  return z.string().max(maxLength).describe(`${description}. ${rule}`)
}
