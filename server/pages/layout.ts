// The frame of every page. It needs no more than `default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:`:
// no inline script, no inline style, nothing from elsewhere.
import { dataBlock, html, type Html, type HtmlValue } from './html.ts'
import type { PageLinks } from './page-links.ts'

type Link = { readonly text: string; readonly href: string }

/** One step of the breadcrumbs. The last one is the page itself and is no link. */
export type Breadcrumb = { readonly text: string; readonly href?: string; readonly label?: string }

export type Frame = {
  /** From the most specific name to the most general; joined by middle dots. */
  readonly title: readonly string[]
  readonly stylesheet: string
  readonly scripts?: readonly string[]
  /** Target of the name in the header. */
  readonly home?: string
  readonly breadcrumbs?: readonly Breadcrumb[]
  /** Target of the search box in the header; without it there is no box. */
  readonly search?: string
  readonly footer?: readonly Link[]
  /** Whether the footer says that the page was built from metadata alone. */
  readonly showsMetadata?: boolean
  /** For search engines. */
  readonly description?: string
  readonly structuredData?: object | undefined
  /** Whether search engines are asked to leave the page out. */
  readonly isPrivate?: boolean
  readonly main: Html
}

export function layout({ breadcrumbs = [], ...frame }: Frame): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${[...frame.title, 'Floe'].join(' · ')}</title>
        ${frame.description !== undefined && html`<meta name="description" content="${frame.description}" />`}
        ${frame.isPrivate && html`<meta name="robots" content="noindex" />`}
        ${frame.structuredData && dataBlock(frame.structuredData)} ${icon}
        <link rel="stylesheet" href="${frame.stylesheet}" />
        ${frame.scripts?.map((script) => html`<script src="${script}" defer></script>`)}
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        <header class="top">
          ${wordmark(frame.home)} ${breadcrumbs.length > 0 && breadcrumbList(breadcrumbs)}
          ${frame.search !== undefined && searchBox(frame.search)}
        </header>
        <main id="main" tabindex="-1">${frame.main}</main>
        ${footer(frame)}
      </body>
    </html>`.toString()
}

type DeploymentFrame = Pick<Frame, 'title' | 'breadcrumbs' | 'main' | 'description' | 'structuredData'> & {
  readonly deployment: { readonly hasSearch: boolean; readonly isPublic: boolean }
  readonly hasFilter?: boolean
  readonly hasCopies?: boolean
  /** Whether the page has lists that can be sorted. */
  readonly hasColumns?: boolean
  /** Whether the page has a larger form for searching, which takes the place of the box. */
  readonly hasSearchForm?: boolean
}

export function deploymentLayout(
  links: PageLinks,
  {
    deployment: { hasSearch, isPublic },
    hasFilter = false,
    hasCopies = false,
    hasColumns = false,
    hasSearchForm = false,
    ...frame
  }: DeploymentFrame,
): string {
  return layout({
    ...frame,
    stylesheet: links.stylesheet,
    scripts: [
      hasFilter && links.filterScript,
      hasColumns && links.sortScript,
      hasCopies && links.copyScript,
      hasSearch && links.searchScript,
    ].filter((script) => script !== false),
    isPrivate: !isPublic,
    ...(hasSearch && !hasSearchForm && { search: links.search() }),
    home: links.home,
    footer: listDocumentationLinks(links),
    showsMetadata: true,
  })
}

/** Links at the foot of every page of a deployment. */
export function listDocumentationLinks(links: PageLinks): Link[] {
  return [
    { text: 'API documentation', href: links.docs },
    { text: 'API reference', href: links.redoc },
    { text: 'OpenAPI', href: links.openapi },
    { text: 'Help', href: links.help },
  ]
}

/** The heading of a page, the kind of thing that it shows, and links beside it. */
export function masthead(kind: HtmlValue, heading: HtmlValue, beside?: Html): Html {
  return html`<div class="masthead">
    <div>
      <p class="kind">${kind}</p>
      <h1>${heading}</h1>
    </div>
    ${beside}
  </div>`
}

const icon = html`<link
  rel="icon"
  href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%230b6178' d='M2 9l5-5 6 2 1 4-4 3-6-1z'/%3E%3C/svg%3E"
/>`

function wordmark(home: string | undefined): Html {
  const name = html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2 9l5-5 6 2 1 4-4 3-6-1z" /></svg>Floe`
  return home === undefined
    ? html`<span class="wordmark">${name}</span>`
    : html`<a class="wordmark" href="${home}">${name}</a>`
}

function searchBox(action: string): Html {
  return html`<form class="search-box" role="search" action="${action}" aria-label="Search datasets">
    <input
      id="q"
      name="q"
      type="search"
      placeholder="Search datasets"
      aria-label="Words to search for"
      aria-keyshortcuts="/"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
    />
    <button>Search</button>
  </form>`
}

function breadcrumbList(steps: readonly Breadcrumb[]): Html {
  return html`<nav aria-label="Breadcrumb">
    <ol class="crumbs">
      ${steps.map((step, index) => html`<li>${breadcrumb(step, index === steps.length - 1)}</li>`)}
    </ol>
  </nav>`
}

function breadcrumb({ text, href, label }: Breadcrumb, isLast: boolean): Html {
  const name =
    label === undefined
      ? html`${text}`
      : html`<span aria-hidden="true">${text}</span><span class="spoken">${label}</span>`
  if (isLast) return html`<span aria-current="page">${name}</span>`
  return href === undefined ? name : html`<a href="${href}">${name}</a>`
}

function footer({ footer: links = [], showsMetadata = false }: Omit<Frame, 'breadcrumbs'>): Html | false {
  if (links.length === 0 && !showsMetadata) return false
  return html`<footer class="bottom">
    ${showsMetadata && html`<p>Built from metadata alone: no array data was read for this page.</p>`}
    ${
      links.length > 0 &&
      html`<nav aria-label="Documentation">
        <ul>
          ${links.map((link) => html`<li><a href="${link.href}">${link.text}</a></li>`)}
        </ul>
      </nav>`
    }
  </footer>`
}
