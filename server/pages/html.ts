// Escapes the text of pages; no other file does. The static parts of a template are markup. Interpolated values are
// data and are escaped, unless they are results of `html` themselves. Only this file can construct `Html`.

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

/**
 * Makes a block of data for programs that read the page, such as search engines. Browsers do not run it, so the content
 * security policy does not apply to it.
 */
export function dataBlock(data: object): Html {
  // Without `<`, nothing in the data can end the element or begin a comment.
  return new Html(`<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`)
}

/** Accepts markup that the build has made from documents of this project. */
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
  // Most texts need no change, and testing is faster than replacing.
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => entities[character] ?? '') : text
}

/** Templates without indentation, by the original. */
const compactTemplates = new WeakMap<TemplateStringsArray, readonly string[]>()

/**
 * Removes indentation, and line breaks next to the elements of lists. They mean nothing in HTML, and would be a third
 * of a long page.
 */
function removeIndentation(strings: TemplateStringsArray): readonly string[] {
  const cached = compactTemplates.get(strings)
  if (cached) return cached
  const markup = strings.map((part) =>
    part
      .replace(/\s*\n\s*/g, '\n')
      .replace(
        /(?<=<\/?(?:dd|details|dl|dt|li|summary|ul)\b[^<>]*>)\n|\n(?=<\/?(?:dd|details|dl|dt|li|summary|ul)\b)/g,
        '',
      ),
  )
  compactTemplates.set(strings, markup)
  return markup
}
