import { AnswerTooLargeError, defaultMaxAnswerBytes } from '@floe/storage/json'

declare const isPage: unique symbol

/**
 * The bytes of a page or a feed, in a buffer of their own. Only {@link encodePage} makes them. `isPage` exists only for
 * the compiler.
 */
export type Page = Buffer<ArrayBuffer> & { readonly [isPage]: true }

/**
 * Encodes an HTML document or a feed.
 *
 * @throws AnswerTooLargeError, which should not happen because the budgets of pages are far smaller
 */
export function encodePage(document: string): Page {
  const bytes = Buffer.from(new TextEncoder().encode(document).buffer)
  if (bytes.length > defaultMaxAnswerBytes) throw new AnswerTooLargeError(defaultMaxAnswerBytes)
  return bytes as Page // `isPage` does not exist at run time
}
