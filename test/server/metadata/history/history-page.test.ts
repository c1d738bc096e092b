import { t } from 'tap'
import { visibleText } from '../../pages/markup.ts'
import { startServer } from '../../start-server.ts'

const server = await startServer(t)

const html = { accept: 'text/html' }

t.test('callers who prefer HTML get the history as a page, others as JSON', async (t) => {
  const page = await server.get('history/weather/main', html)
  t.match(page.headers.get('content-type'), 'text/html')
  t.match(page.headers.get('vary'), 'accept')
  const json = await server.get('history/weather/main')
  t.match(json.headers.get('content-type'), 'application/json')
  const { commits } = (await json.json()) as { commits: { snapshot_id: string; commit_message: string }[] }
  const text = visibleText(await page.text())
  for (const { snapshot_id, commit_message } of commits) {
    t.match(text, snapshot_id)
    t.match(text, commit_message.split('\n')[0])
  }
})

for (const [repo, branch] of [
  ['weather', 'feature/one'],
  ['weather-v1', 'dev'],
]) {
  t.test(`the history of ${repo} shows the branch that leaves it, and links to what each commit changed`, async (t) => {
    const page = await (await server.get(`history/${repo}/main`, html)).text()
    const text = visibleText(page)
    t.match(text, 'branch\n' + branch + '\nOn a side branch.')
    t.match(text, 'The side branches above begin here.')
    const [, address = ''] = /href="[^"]*\/(diff\/[^"]+)"/.exec(page) ?? []
    t.equal((await server.get(address, html)).status, 200)
  })
}

t.test('a page of a history leads to the next', async (t) => {
  const first = await (await server.get('history/weather/main?limit=2', html)).text()
  const [, next = ''] = /href="[^"]*\/(history\/[^"]+)" rel="next"/.exec(first) ?? []
  t.match(visibleText(first), 'Older commits')
  const second = await (await server.get(next.replaceAll('&amp;', '&'), html)).text()
  t.match(visibleText(second), 'Newest commits')
  const ids = (page: string) => [...page.matchAll(/<code>(\w{20})<\/code>/g)].map(([, id]) => id)
  t.equal(
    ids(first).some((id) => ids(second).includes(id)),
    false,
  )
})

t.test("a repository's page shows its newest commits", async (t) => {
  for (const repo of ['weather', 'weather-v1', 'empty', 'reset', 'expired-v1']) {
    const text = visibleText(await (await server.get(`discovery/${repo}`, html)).text())
    t.match(text, 'Recent commits\nof main', repo)
    t.match(text, 'Full history of main', repo)
  }
})
