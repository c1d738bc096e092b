/**
 * Replaces what follows a heading in a page that is otherwise written by hand, up to the next heading of its level.
 *
 * @param heading such as `## Kinds`
 * @throws Error if the page lacks the heading
 */
export function replaceSection(page: string, heading: string, text: string): string {
  const start = page.indexOf(`\n${heading}\n`)
  if (start < 0) throw new Error(`a page lacks the heading ${heading}`)
  const level = heading.slice(0, heading.indexOf(' ') + 1)
  const end = page.indexOf(`\n${level}`, start + 1)
  return `${page.slice(0, start)}\n${heading}\n\n${text}${page.slice(end < 0 ? page.length : end)}`
}
