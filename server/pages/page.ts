import { AnswerTooLargeError, defaultMaxAnswerBytes } from '@floe/storage/json'

declare const isPage: unique symbol

/** The bytes of an HTML document, in memory of their own. Only {@link encodePage} makes them; the mark exists for the compiler alone. */
export type Page = Buffer<ArrayBuffer> & { readonly [isPage]: true }

/**
 * Encodes an HTML document.
 *
 * @throws AnswerTooLargeError although pages keep to budgets of their own, which are far smaller
 */
export function encodePage(document: string): Page {
  const bytes = Buffer.from(new TextEncoder().encode(document).buffer)
  if (bytes.length > defaultMaxAnswerBytes) throw new AnswerTooLargeError(defaultMaxAnswerBytes)
  return bytes as Page // The mark is not there at run time.
}
