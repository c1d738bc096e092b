import { decodeText } from './markup.ts'

/** Returns the code under a label of a page. */
export function findSnippet(page: string, label: string): string {
  const [, snippet = ''] = new RegExp(`aria-label="${label}"><code>(.*?)</code>`, 's').exec(page) ?? []
  return decodeText(snippet)
}
