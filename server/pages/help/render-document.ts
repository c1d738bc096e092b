// Renders the Markdown of the documentation. Links lead from page to page on the site as they do between the files.
import { posix } from 'node:path'
import { Marked, type RendererObject, type Tokens } from 'marked'
import { type Html, ownMarkup } from '../html.ts'

/** What a page says below one heading, as plain text. The first section of a page has no anchor. */
type Section = { readonly heading: string; readonly anchor: string; readonly text: string }

type RenderedDocument = { readonly body: Html; readonly sections: readonly Section[] }

/** The list of all pages, which is the first one of the site. */
export const listPath = 'README.md'

/** The address of a document below `/help/`: its path without the extension. */
export function makeHelpAddress(path: string): string {
  return path === listPath ? 'contents' : path.slice(0, -'.md'.length)
}

/** The address of a file of the site, relative to the page of a document. */
export function linkFrom(path: string, target: string): string {
  return posix.relative(posix.dirname(path), target) || '.'
}

/**
 * Renders a document.
 *
 * @param path below `docs/`
 * @param pages the paths of all pages. In place of a link to another file of the project, there is its path
 */
export function renderDocument(path: string, text: string, pages: ReadonlySet<string>): RenderedDocument {
  const marked = new Marked({ renderer: makeRenderer(path, pages) })
  const tokens = marked.lexer(text)
  const sections: Section[] = []
  for (const token of tokens) {
    const last = sections.at(-1)
    if (token.type === 'heading') {
      const heading = readPlainText(String(token['text']))
      sections.push({ heading, anchor: last === undefined ? '' : nameAnchor(heading), text: '' })
    } else if (last !== undefined) {
      sections.splice(-1, 1, { ...last, text: `${last.text} ${readPlainText(token.raw)}`.trim() })
    }
  }
  return { body: ownMarkup(marked.parser(tokens)), sections }
}

function makeRenderer(path: string, pages: ReadonlySet<string>): RendererObject {
  return {
    heading({ tokens, depth, text }: Tokens.Heading): string {
      return `<h${depth} id="${nameAnchor(readPlainText(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    link({ href, tokens }: Tokens.Link): string {
      const content = this.parser.parseInline(tokens)
      if (/^https?:/.test(href)) return `<a href="${href}" rel="noopener">${content}</a>`
      const [file = '', anchor] = href.split('#')
      const target = file === '' ? path : posix.join(posix.dirname(path), file)
      if (!pages.has(target)) return `${content} (<code>${posix.join('docs', target)}</code>)`
      const page = target === path ? '' : linkFrom(path, makeHelpAddress(target))
      return `<a href="${page}${anchor === undefined ? '' : `#${anchor}`}">${content}</a>`
    },
    image({ href, text }: Tokens.Image): string {
      return `<img src="${linkFrom(path, posix.join(posix.dirname(path), href))}" alt="${text}" loading="lazy" />`
    },
    table({ header, rows }: Tokens.Table): string {
      const writeRow = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>\n`
      const body = rows.map((cells) => writeRow(cells, 'td')).join('')
      const head = writeRow(header, 'th')
      const table = `<table>\n<thead>${head}</thead>\n<tbody>${body}</tbody></table>`
      return `<div class="wide" tabindex="0">${table}</div>\n`
    },
    code({ text, lang = '' }: Tokens.Code): string {
      const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
      return `<pre tabindex="0"><code class="language-${lang}" data-copy>${escaped}</code></pre>\n`
    },
  }
}

/** The anchor that GitHub gives to a heading. */
function nameAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(/\s/g, '-')
}

/** Removes the marks of Markdown and the targets of links. */
function readPlainText(markdown: string): string {
  return markdown
    .replaceAll(/\]\([^)]*\)/g, '')
    .replaceAll(/[`*[\]|#]|-{3,}/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
