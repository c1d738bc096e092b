import { t } from 'tap'
import { html } from '../../../server/pages/html.ts'
import { layout, type Frame } from '../../../server/pages/layout.ts'
import { visibleText } from './markup.ts'

const frame: Frame = {
  title: ['wind', 'acme'],
  stylesheet: '/assets/style.css',
  home: '/home/',
  breadcrumbs: [{ text: 'acme', href: '/home/' }, { text: 'wind' }],
  footer: [{ text: 'Documentation', href: '/docs' }],
  main: html`<h1>wind</h1>`,
}

t.test('a page states its language, its width, its colour schemes and its title', async (t) => {
  const page = layout(frame)
  t.match(page, /^<!doctype html>\n<html lang="en">/)
  t.match(page, '<meta name="viewport" content="width=device-width, initial-scale=1" />')
  t.match(page, '<meta name="color-scheme" content="light dark" />')
  t.match(page, '<title>wind · acme · Floe</title>')
})

t.test('scripts and styles are loaded by address, none is inline', async (t) => {
  const page = layout({ ...frame, scripts: ['/assets/filter.js'] })
  t.notMatch(page, /<style| style=|<script(?! src="\/assets\/filter\.js" defer><\/script>)| on\w+=|javascript:/i)
  const loaded = [...page.matchAll(/<(?:link|script|img)[^>]*?\s(?:href|src)="([^"]*)"/g)].map(([, address]) => address)
  t.match(loaded, [/^data:image\/svg\+xml,/, '/assets/style.css', '/assets/filter.js'])
})

t.test('the skip link leads to the main landmark, past header and navigation', async (t) => {
  const page = layout(frame)
  t.ok(page.indexOf('href="#main"') < page.indexOf('<header'))
  t.match(page, '<main id="main" tabindex="-1"><h1>wind</h1></main>')
})

t.test('the last breadcrumb is the page itself and is not a link', async (t) => {
  const page = layout(frame)
  t.match(page, '<a href="/home/">acme</a>')
  t.match(page, '<span aria-current="page">wind</span>')
})

t.test('a breadcrumb may say more to a screen reader than it shows', async (t) => {
  const page = layout({ ...frame, breadcrumbs: [{ text: '/', label: 'Root group' }] })
  t.match(page, '<span aria-hidden="true">/</span><span class="spoken">Root group</span>')
})

t.test('an error page without a deployment has no navigation', async (t) => {
  const { home: _, ...withoutHome } = frame
  const page = layout({ ...withoutHome, breadcrumbs: [], footer: [] })
  t.notMatch(page, '<nav')
  t.match(visibleText(page), 'wind')
})

t.test('only a page with an address for searching has the search box', async (t) => {
  t.match(layout({ ...frame, search: '/search' }), /<form class="search-box" role="search" action="\/search"/)
  t.notMatch(layout(frame), 'role="search"')
})

t.test('only pages about data say that they were built from metadata', async (t) => {
  const claim = 'no array data was read'
  t.match(visibleText(layout({ ...frame, showsMetadata: true })), claim)
  t.notMatch(visibleText(layout(frame)), claim)
  t.notMatch(layout({ ...frame, footer: [] }), '<footer')
})
