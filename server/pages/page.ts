import { AnswerTooLargeError, defaultMaxAnswerBytes } from '@floe/storage/json'

declare const isPage: unique symbol

/** The bytes of an HTML document, which share no memory. Only {@link encodePage} makes them; the mark exists only for the compiler. */
export type Page = Buffer<ArrayBuffer> & { readonly [isPage]: true }

/**
 * Encodes an HTML document.
 *
 * @throws AnswerTooLargeError, which is improbable because the budgets of pages are far smaller
 */
export function encodePage(document: string): Page {
  const bytes = Buffer.from(new TextEncoder().encode(document).buffer)
  if (bytes.length > defaultMaxAnswerBytes) throw new AnswerTooLargeError(defaultMaxAnswerBytes)
  return bytes as Page // The mark is not there at run time.
}
