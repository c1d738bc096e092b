// Reads the markup of pages for tests: the text that a reader sees, and the structure.

/** Lists the tags with the names of their attributes, without any data. */
export function skeleton(page: string): string[] {
  return (page.match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/"[^"]*"/g, '""'))
}

/** Returns the text of a page, with one line for each text between tags. */
export function visibleText(markup: string): string {
  return decodeText(markup.replace(/<[^>]*>/g, '\n').replace(/\s*\n\s*/g, '\n')).trim()
}

/** Decodes the text of an element. */
export function decodeText(markup: string): string {
  return markup
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

/** Returns the element with this id, without its end tag. */
export function elementById(page: string, id: string): string {
  const start = new RegExp(`<(\\w+)[^>]* id="${id}"[^>]*>`).exec(page)
  if (!start) throw new Error(`the page has no element called ${id}`)
  const [, name = ''] = start
  let depth = 0
  for (const tag of page.slice(start.index).matchAll(new RegExp(`<(/?)${name}[\\s>]`, 'g'))) {
    depth += tag[1] === '' ? 1 : -1
    if (depth === 0) return page.slice(start.index, start.index + tag.index)
  }
  throw new Error(`${id} does not end`)
}

/** Lists the ids of a page's elements, in document order. */
export function ids(page: string): string[] {
  return [...page.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id)
}
