import { problemDefinitions, type Problem } from '@floe/contract'
import { t } from 'tap'
import { problemPage } from '../../../server/pages/problem-page.ts'
import { visibleText } from './markup.ts'
import { links as pageLinks } from './sample-dataset.ts'

const links = { root: '', ...pageLinks, org: 'acme', repo: 'weather', hasSearch: true }

const problem: Problem = {
  type: '/problems/ref-not-found',
  code: 'ref-not-found',
  title: 'No such ref',
  status: 404,
  detail: 'weather has no branch, tag or snapshot called "mian"',
  instance: 'req-7f3c',
}

t.test('an error page shows status, title, detail and instance', async (t) => {
  const text = visibleText(problemPage(problem, links))
  t.match(text, 'Error 404\nNo such ref\nweather has no branch, tag or snapshot called "mian"')
  t.match(text, 'Error id\nreq-7f3c')
})

t.test('an error page links to other pages', async (t) => {
  const page = problemPage(problem, links)
  t.match(page, `<a href="${links.home}">Repositories</a>`)
  t.match(page, `<a href="${links.docs}">Try the API</a>`)
  t.match(page, '<a href="/problems/ref-not-found">About this kind of error</a>')
})

t.test('an unreadable repository keeps its path and the search box; an unknown one has no link', async (t) => {
  const page = problemPage({ ...problem, status: 422, type: '/problems/damaged-repository' }, links)
  t.match(page, `<a href="${links.repository('weather')}">`)
  t.match(page, `action="${links.search()}"`)
  const unknown = problemPage({ ...problem, type: '/problems/repository-not-found' }, links)
  t.notMatch(unknown, links.repository('weather'))
  t.notMatch(problemPage(problem, { ...links, hasSearch: false }), 'class="search-box"')
})

t.test(
  'without a deployment, the service and the kind of error are linked, also below a path of a proxy',
  async (t) => {
    const page = problemPage(problem, { root: '/floe', stylesheet: '/floe/assets/web/style.css' })
    t.strictSame(
      [...page.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, address]) => address),
      ['#main', '/floe/v1/', '/floe/problems/ref-not-found'],
    )
  },
)

t.test('each wrong part of a request is listed', async (t) => {
  const errors = [{ pointer: '/query/group', message: 'must not contain control characters' }]
  t.match(
    visibleText(problemPage({ ...problem, status: 400, errors }, links)),
    '\n/query/group\nmust not contain control characters',
  )
})

t.test('every status that a page can have comes with advice, unless the detail says enough', async (t) => {
  const withoutAdvice = new Set(
    Object.values(problemDefinitions)
      .map(({ status }) => status)
      .filter((status) => {
        const text = visibleText(problemPage({ ...problem, status }, links))
        return text.includes(`${problem.detail}\nRepositories`)
      }),
  )
  // Only changes are answered with 409, 412 and 415, only streams with 410. The details of 405 and 413 say what to do.
  // 408 and 431 are answered without a page.
  t.strictSame(
    [...withoutAdvice].toSorted((a, b) => a - b),
    [400, 405, 408, 409, 410, 412, 413, 414, 415, 431],
  )
})
