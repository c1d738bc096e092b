// The frame of every page: head, header and footer. It has no inline script, no inline style, and loads nothing from
// other hosts, so that the content security policy can forbid all of these.
import { dataBlock, html, type Html, type HtmlValue } from './html.ts'
import { linkAddresses } from './link-addresses.ts'
import type { PageLinks, PageScript } from './page-links.ts'

type Link = { readonly text: string; readonly href: string }

/** What a page is about in another form, which programs find by the address of the page. */
export type Alternate = Link & { readonly type: string }

/** One step of the breadcrumbs. The last one is the page itself and is not a link. */
export type Breadcrumb = {
  readonly text: string
  readonly href?: string
  /** Screen readers read this instead of the text. */
  readonly label?: string
}

/** The link in the header to the page about who is signed in, and the script that names the person. */
export type AccountLink = { readonly href: string; readonly script: string }

/** What a page puts into its frame. */
export type Frame = {
  /** From the most specific name to the most general. Joined by middle dots. */
  readonly title: readonly string[]
  readonly stylesheet: string
  readonly scripts?: readonly string[]
  /** Address of the link `Floe` in the header. */
  readonly home?: string
  readonly breadcrumbs?: readonly Breadcrumb[]
  /** Address to which the search box in the header leads; without it there is no box. */
  readonly search?: string
  /** Undefined if nobody can sign in. */
  readonly account?: AccountLink | undefined
  readonly footer?: readonly Link[]
  /** Whether the footer says that the page was built from metadata alone. */
  readonly showsMetadata?: boolean
  readonly alternates?: readonly Alternate[]
  /** A description for search engines. */
  readonly description?: string
  /** Data for search engines, in the vocabulary of schema.org. */
  readonly structuredData?: object | undefined
  /** Whether the page asks search engines to ignore it. */
  readonly isPrivate?: boolean
  readonly main: Html
}

/** Writes the HTML document of a page. */
export function layout({ breadcrumbs = [], account, ...frame }: Frame): string {
  const scripts = [...(frame.scripts ?? []), ...(account ? [account.script] : [])]
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${[...frame.title, 'Floe'].join(' · ')}</title>
        ${frame.description !== undefined && html`<meta name="description" content="${frame.description}" />`}
        ${frame.isPrivate && html`<meta name="robots" content="noindex" />`}
        ${frame.structuredData && dataBlock(frame.structuredData)} ${frame.alternates?.map(alternateLink)}
        <link rel="icon" href="${iconAddress}" />
        <link rel="stylesheet" href="${frame.stylesheet}" />
        ${scripts.map((script) => html`<script src="${script}" defer></script>`)}
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        <header class="top">
          ${wordmark(frame.home)} ${breadcrumbs.length > 0 && breadcrumbList(breadcrumbs)}
          ${frame.search !== undefined && searchBox(frame.search)}
          ${account && html`<a class="account" href="${account.href}">Account</a>`}
        </header>
        <main id="main" tabindex="-1">${frame.main}</main>
        ${footer(frame)}
      </body>
    </html>`.toString()
}

type DeploymentFrame = Pick<
  Frame,
  'title' | 'breadcrumbs' | 'main' | 'description' | 'structuredData' | 'alternates'
> & {
  readonly deployment: {
    readonly hasSearch: boolean
    readonly isPublic: boolean
    readonly account?: AccountLink | undefined
  }
  /** The scripts that the page needs, besides that of the search box. */
  readonly scripts?: readonly (PageScript | false)[]
  /** Whether the page has a search form of its own, which replaces the box in the header. */
  readonly hasSearchForm?: boolean
}

/** Writes the HTML document of a page of a deployment. */
export function deploymentLayout(
  links: PageLinks,
  { deployment: { hasSearch, isPublic, account }, scripts = [], hasSearchForm = false, ...frame }: DeploymentFrame,
): string {
  return layout({
    ...frame,
    stylesheet: links.stylesheet,
    scripts: [...scripts, hasSearch && ('search' as const)].flatMap((script) => (script ? links.script(script) : [])),
    isPrivate: !isPublic,
    ...(hasSearch && !hasSearchForm && { search: links.search() }),
    home: links.home,
    account,
    footer: listDocumentationLinks(links),
    showsMetadata: true,
  })
}

/** Lists the links in the footer of every page of a deployment. */
export function listDocumentationLinks(links: PageLinks): Link[] {
  return [
    { text: 'API', href: links.docs },
    { text: 'Help', href: links.help },
  ]
}

/** The heading of a page, the kind of thing that it shows above it, links beside it, and a summary below it. */
export function masthead(kind: HtmlValue, heading: HtmlValue, beside?: Html, summary?: string | null): Html {
  return html`<div class="masthead">
    <div>
      <p class="kind">${kind}</p>
      <h1>${heading}</h1>
    </div>
    ${beside} ${summary && html`<p class="summary">${linkAddresses(summary)}</p>`}
  </div>`
}

/** The link to the feed beside the heading of a page. */
export function feedViews({ href }: Pick<Link, 'href'>): Html {
  return html`<nav class="views" aria-label="Other forms of this page"><a href="${href}">Feed</a></nav>`
}

function alternateLink({ text, type, href }: Alternate): Html {
  return html`<link rel="alternate" type="${type}" title="${text}" href="${href}" />`
}

/** A floe: the shape of the logo, as an SVG path in a square of 16 pixels. */
const logoPath = 'M2 9l5-5 6 2 1 4-4 3-6-1z'

const iconAddress =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E" +
  `%3Cpath fill='%230b6178' d='${logoPath}'/%3E%3C/svg%3E`

function wordmark(home: string | undefined): Html {
  const name = html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${logoPath}" /></svg>Floe`
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
