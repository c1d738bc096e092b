import { problemDefinitions, type Problem } from '@floe/contract'
import { t } from 'tap'
import { problemPage } from '../../../server/pages/problem-page.ts'
import { visibleText } from './markup.ts'
import { links as pageLinks } from './sample-dataset.ts'

const links = { root: '', ...pageLinks }

const problem: Problem = {
  type: '/problems/ref-not-found',
  title: 'No such ref',
  status: 404,
  detail: 'weather has no branch, tag or snapshot called "mian"',
  instance: 'req-7f3c',
}

t.test('a problem tells status, title, detail and instance', async (t) => {
  const text = visibleText(problemPage(problem, links))
  t.match(text, 'Error 404\nNo such ref\nweather has no branch, tag or snapshot called "mian"')
  t.match(text, 'Error id\nreq-7f3c')
})

t.test('a problem says where to go next', async (t) => {
  const page = problemPage(problem, links)
  t.match(page, `<a href="${links.home}">Repositories</a>`)
  t.match(page, `<a href="${links.docs}">API documentation</a>`)
  t.match(page, '<a href="/problems/ref-not-found">About this kind of error</a>')
})

t.test(
  'before any deployment is known, only the kind of problem is linked, also below a path of a proxy',
  async (t) => {
    const page = problemPage(problem, { root: '/floe', stylesheet: '/floe/assets/web/style.css' })
    t.strictSame(
      [...page.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, address]) => address),
      ['#main', '/floe/problems/ref-not-found'],
    )
  },
)

t.test('each wrong place of a request is listed', async (t) => {
  const errors = [{ pointer: '/query/group', message: 'must not contain control characters' }]
  t.match(
    visibleText(problemPage({ ...problem, status: 400, errors }, links)),
    '\n/query/group\nmust not contain control characters',
  )
})

t.test('every status that a page can be answered with comes with advice, unless its detail says all', async (t) => {
  const withoutAdvice = new Set(
    Object.values(problemDefinitions)
      .map(({ status }) => status)
      .filter((status) => {
        const text = visibleText(problemPage({ ...problem, status }, links))
        return text.includes(`${problem.detail}\nRepositories`)
      }),
  )
  // 409, 412 and 415 answer changes alone, and 410 streams. The details of 405 and 413 say what to do.
  t.strictSame(
    [...withoutAdvice].toSorted((a, b) => a - b),
    [400, 405, 409, 410, 412, 413, 414, 415],
  )
})
