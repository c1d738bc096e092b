import { t } from 'tap'
import { elementById, visibleText } from '../pages/markup.ts'
import { startServer } from '../start-server.ts'

const html = { accept: 'text/html' }

t.test('the page of a repository begins with its datasets, as main has them', async (t) => {
  const server = await startServer(t)
  for (const repo of ['weather', 'weather-v1']) {
    const text = visibleText(elementById(await (await server.get(`discovery/${repo}`, html)).text(), 'datasets'))
    t.match(text, 'Datasets\nof main (4)\nForecast of the regional model\n/forecast\nDimensions\n', repo)
    t.match(text, 'time: 16', repo)
    t.match(text, 'Coastal stations\n/observations/stations\nDimensions\nstation: 4, time: 6', repo)
    t.match(text, 'Strongest gust of the last 3 h\n/wind/gust\n', repo)
  }
})

t.test('its commits are those of main alone', async (t) => {
  const server = await startServer(t)
  const text = visibleText(elementById(await (await server.get('discovery/weather', html)).text(), 'commits'))
  t.match(text, 'Recent commits\nof main\nState the licence')
  t.notMatch(text, 'Try a finer precipitation unit')
})

t.test('groups that xarray cannot open are listed with what they say, and an empty repository says so', async (t) => {
  const server = await startServer(t)
  const types = await (await server.get('discovery/types', html)).text()
  t.match(visibleText(elementById(types, 'datasets')), /All \d+ datasets of main$/)
  const empty = await (await server.get('discovery/empty', html)).text()
  t.match(visibleText(elementById(empty, 'datasets')), 'There are no datasets yet.')
})
