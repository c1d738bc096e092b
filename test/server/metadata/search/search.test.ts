// Searches over real HTTP in repositories that official Icechunk wrote.
import { t } from 'tap'
import { basic, startServer } from '../../start-server.ts'
import { z } from 'zod'

t.test('x', async (t) => {
  const server = await startServer(t, { hasSearch: true })
  await server.notifier.start()
  const headers = { authorization: basic('acme', server.apiKey) }
  for (let i = 0; i < 40; i++) {
    const response = await fetch(`${server.meta}/search?q=temp&facets=units`, { headers })
    const body: any = await response.json()
    if (body.index?.pending === 0 && body.index.repositories > 5 || i === 39) {
      console.log(JSON.stringify(body, null, 1).slice(0, 6000))
      break
    }
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
})
