import { posix } from 'node:path'
import { html, type Html } from '../html.ts'
import { layout } from '../layout.ts'
import { makeHelpAddress, linkFrom, listPath } from './render-document.ts'

/** The pages of the site in their order, in groups. */
export type Contents = readonly {
  readonly heading: string
  readonly pages: readonly { readonly path: string; readonly title: string }[]
}[]

/** A page of the documentation. All addresses are relative, because a proxy may put the service below any path. */
export function helpPage(path: string, title: string, body: Html, contents: Contents): string {
  const root = `${linkFrom(path, '.')}/`
  const assets = posix.join(root, '../assets/web')
  return layout({
    title: path === listPath ? [title] : [title, 'Documentation'],
    stylesheet: `${assets}/style.css`,
    scripts: [`${assets}/help.js`, `${assets}/copy.js`],
    home: posix.join(root, '../'),
    breadcrumbs:
      path === listPath
        ? [{ text: title }]
        : [{ text: 'Documentation', href: linkFrom(path, makeHelpAddress(listPath)) }, { text: title }],
    main: html`<div class="help">
      <search data-index="${root}search.json" data-root="${root}" hidden>
        <input type="search" placeholder="Search" aria-label="Words to search for" autocomplete="off" />
        <ol aria-live="polite"></ol>
      </search>
      <article>${body}</article>
      <nav aria-label="Pages">
        ${contents.map(
          ({ heading, pages }) =>
            html`<h2>${heading}</h2>
              <ul>
                ${pages.map(({ path: page, title }) => contentsItem(path, page, title))}
              </ul>`,
        )}
      </nav>
    </div>`,
  })
}

function contentsItem(path: string, page: string, title: string): Html {
  if (page === path) return html`<li><span aria-current="page">${title}</span></li>`
  return html`<li><a href="${linkFrom(path, makeHelpAddress(page))}">${title}</a></li>`
}
