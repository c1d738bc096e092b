import { Completeness } from '@floe/contract'
import { ObjectStoreError, openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { countReads } from '../catalog/count-reads.ts'
import { elementById, visibleText } from '../pages/markup.ts'
import { openManifests } from '../reading/manifests/open-manifests.ts'
import { startServer } from '../start-server.ts'

const fixtures = new URL('../../fixtures/', import.meta.url).pathname

const html = { accept: 'text/html' }

t.test('the page of a repository begins with its datasets, as main has them', async (t) => {
  const server = await startServer(t)
  // In version 2, datasets inherit the description of the repository, which is shown once, above them.
  for (const repo of ['weather', 'weather-v1']) {
    const text = visibleText(elementById(await (await server.get(`discovery/${repo}`, html)).text(), 'datasets'))
    t.match(text, `Datasets\nof main (4)\nForecast of the regional model\n/forecast\nDimensions\n`, repo)
    t.match(text, 'time: 16', repo)
    t.match(text, `Coastal stations\n/observations/stations\nDimensions\nstation: 4, time: 6`, repo)
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

t.test('it says how many bytes the chunks of main have if their manifests are few, and else reads none', async (t) => {
  const start = async (fixture: string) => {
    const { store, reads } = countReads(openLocalStore(`${fixtures}${fixture}/`))
    const server = await startServer(t, { sources: [{ kind: 'scan', store }] })
    const read = async (repo: string) => visibleText(await (await server.get(`discovery/${repo}`, html)).text())
    return { server, read, countManifests: () => reads.filter((key) => key.includes('manifests/')).length }
  }
  const few = await start('manifests')
  for (const repo of ['v1', 'v2']) {
    const page = await few.read(repo)
    const count = few.countManifests()
    const { bytes } = Completeness.parse(await (await few.server.get(`completeness/${repo}/main?bytes=true`)).json())
    t.match(bytes, { native: { bytes: 13_300 }, inline: { bytes: 20 }, virtual: { bytes: 291_897 } })
    t.match(page, 'Chunks of main\n13kB stored\n292kB virtual\n')
    t.equal(few.countManifests(), count, 'both need the same')
  }
  const many = await start('repositories')
  t.notMatch(await many.read('weather'), 'Chunks of main')
  t.equal(many.countManifests(), 0)
})

t.test('while manifests cannot be read, it says all the rest', async (t) => {
  const { store } = await openManifests()
  store.beforeManifest = () => {
    throw new ObjectStoreError('memory', 'manifests/1', 'the store is down')
  }
  const server = await startServer(t, { sources: [{ kind: 'repository', name: 'runs', store }] })
  const read = async () => visibleText(await (await server.get('discovery/runs', html)).text())
  const page = await read()
  t.notMatch(page, 'Chunks of main')
  t.match(page, 'Datasets\nof main (1)\n')
  store.beforeManifest = () => undefined
  t.match(await read(), 'Chunks of main\n13kB stored\n')
})
