import { HistoryPage } from '@floe/contract'
import { t } from 'tap'
import { visibleText } from '../../pages/markup.ts'
import { startServer } from '../../start-server.ts'

const server = await startServer(t)

const html = { accept: 'text/html' }

t.test('callers who prefer HTML get what changed as a page, others as JSON', async (t) => {
  const page = await server.get('diff/weather/v1.0/feature%2Fone', html)
  t.equal(page.status, 200)
  t.match(page.headers.get('content-type'), 'text/html')
  t.match(visibleText(await page.text()), 'What changed in weather\nv1.0\nto\nfeature/one')
  t.match((await server.get('diff/weather/v1.0/feature%2Fone')).headers.get('content-type'), 'application/json')
})

t.test('the page and the JSON name the same nodes', async (t) => {
  for (const [repo, from, to] of [
    ['weather', 'v1.0', 'main'],
    ['weather', 'feature%2Fone', 'main'],
    ['weather-v1', 'v1.0', 'main'],
  ]) {
    const address = `diff/${repo}/${from}/${to}`
    const { groups, arrays } = (await (await server.get(address)).json()) as Record<string, { created: string[] }>
    const text = visibleText(await (await server.get(address, html)).text())
    for (const path of [...(groups?.created ?? []), ...(arrays?.created ?? [])]) {
      t.match(text, `\n${path.slice(path.lastIndexOf('/') + 1) || '/'}\n`, `${address} ${path}`)
    }
  }
})

t.test('the heading counts the lines, also after commits expired and the next one got another parent', async (t) => {
  for (const repo of ['expired', 'expired-v1']) {
    const { commits } = HistoryPage.parse(await (await server.get(`history/${repo}/main`)).json())
    t.ok(commits.length > 1, repo)
    for (const { snapshot_id: id, parent_snapshot_id: parent } of commits) {
      if (parent === null) continue
      const page = await (await server.get(`diff/${repo}/${parent}/${id}`, html)).text()
      const [, heading = ''] = /Changes\n\((.*)\)/.exec(visibleText(page)) ?? []
      const count = (words: string) => Number(new RegExp(`(\\d+) ${words}`).exec(heading)?.[1] ?? 0)
      const countLines = (change: string) => page.split(`<b class="${change}"`).length - 1
      const what = `${repo} ${parent} ${id}: ${heading}`
      for (const change of ['created', 'deleted', 'replaced']) t.equal(count(change), countLines(change), what)
      t.ok(count('updated') <= countLines('updated'), what)
    }
  }
})

t.test('the form on the page of a repository leads to what changed', async (t) => {
  const query = new URLSearchParams({ from: 'feature/one', to: 'v1.0' })
  const address = `${server.publicMeta}/diff/weather?${query}`
  const redirect = await fetch(address, { redirect: 'manual' })
  t.equal(redirect.status, 303)
  t.equal(redirect.headers.get('location'), '/v1/services/open/acme/_meta/diff/weather/feature%2Fone/v1.0')
  t.equal((await fetch(address, { headers: html })).status, 200)
  const pasted = await server.get('diff/weather?from=%20v1.0%20&to=main%20', html)
  t.match(pasted.headers.get('location'), /\/diff\/weather\/v1\.0\/main$/, 'without spaces that come along with a copy')
  t.equal((await server.get('diff/weather?from=main&to=', html)).status, 400)
})

t.test('a ref that does not exist is a problem page', async (t) => {
  const answer = await server.get('diff/weather/nowhere/main', html)
  t.equal(answer.status, 404)
  t.match(visibleText(await answer.text()), 'weather has no branch, tag or snapshot called "nowhere"')
})
