// The one place where pages escape text. The static parts of a template are our own markup; interpolated values are data and
// are escaped, unless they are `html` results themselves. Only this file can construct `Html`.

class Html {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** Markup that is safe to send. Only {@link html} makes it. */
export type { Html }

/** What a template accepts. `undefined`, `null` and `false` render nothing, arrays render their members in order. */
export type HtmlValue = Html | string | number | bigint | undefined | null | false | readonly HtmlValue[]

/**
 * Builds markup. Values are safe as text and inside attribute values in double quotes; a template must not place data
 * anywhere else (unquoted attribute, tag name, comment, `<script>`, `<style>`), only constants such as `open`.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const markup = removeIndentation(strings)
  let text = markup[0] ?? ''
  values.forEach((value, index) => {
    text += render(value) + (markup[index + 1] ?? '')
  })
  return new Html(text)
}

/** Data for programs that read the page, such as search engines. Browsers do not run it, so no content security policy is asked. */
export function dataBlock(data: object): Html {
  // Without `<` nothing in it can end the element or begin a comment.
  return new Html(`<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`)
}

/** Markup that a build has made from documents of this project. */
export function ownMarkup(text: string): Html {
  return new Html(text)
}

function render(value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return ''
  if (value instanceof Html) return value.toString()
  if (typeof value === 'object') return value.map(render).join('')
  return escapeText(String(value))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  // Most texts need no change, and the search alone is faster.
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => entities[character] ?? '') : text
}

const collapsed = new WeakMap<TemplateStringsArray, readonly string[]>()

/**
 * Removes the indentation of templates, and line breaks next to the elements of lists. They mean nothing in HTML, and would be a third of a
 * long page.
 */
function removeIndentation(strings: TemplateStringsArray): readonly string[] {
  const known = collapsed.get(strings)
  if (known) return known
  const markup = strings.map((part) =>
    part
      .replace(/\s*\n\s*/g, '\n')
      .replace(
        /(?<=<\/?(?:dd|details|dl|dt|li|summary|ul)\b[^<>]*>)\n|\n(?=<\/?(?:dd|details|dl|dt|li|summary|ul)\b)/g,
        '',
      ),
  )
  collapsed.set(strings, markup)
  return markup
}
