// The calendar of a branch in a browser.
import { t } from 'tap'
import { sampleBody, startWithExpectations } from '../server/administration/sample-expectations.ts'
import { accessibilityFaults } from './accessibility.ts'
import { openBrowser, openPage, withoutBrowser } from './open-browser.ts'

t.test(
  'a calendar fits a phone, where it begins with the newest weeks, and has a table',
  { skip: withoutBrowser },
  async (t) => {
    const { server, create } = await startWithExpectations(t)
    await create(sampleBody('freshness'))
    const httpCredentials = { username: 'acme', password: server.apiKey }
    const { page, faults } = await openPage(await openBrowser(t), { httpCredentials })
    await page.goto(`${server.meta}/history/satellite/main`)
    t.strictSame(await accessibilityFaults(page), [])
    await page.setViewportSize({ width: 360, height: 740 })
    const drawing = page.getByRole('group', { name: 'Drawing of the table below' })
    const months = page.locator('.calendar svg text')
    const isSeen = async (place: 'first' | 'last') => {
      const { x = NaN, width = NaN } = (await months[place]().boundingBox()) ?? {}
      return x >= 0 && x + width <= 360
    }
    t.strictSame([await isSeen('first'), await isSeen('last')], [false, true])
    await drawing.focus()
    for (let presses = 0; presses < 15; presses++) await page.keyboard.press('ArrowLeft')
    // Scrolling is smooth. It ends where the drawing begins.
    await page.waitForFunction(() => {
      const scrolled = document.querySelector('.calendar > div')
      return scrolled !== null && scrolled.clientWidth - scrolled.scrollLeft >= scrolled.scrollWidth - 1
    })
    t.equal(await isSeen('first'), true)
    const table = page.locator('.calendar details')
    await table.locator('summary').focus()
    await page.keyboard.press('Enter')
    t.match(await table.getByRole('row').nth(1).innerText(), /LATE tile server: acme\/satellite main/)
    t.strictSame(await accessibilityFaults(page), [])
    await table.getByRole('link').last().press('Enter')
    await page.waitForURL('**/history/satellite/main?until=*')
    t.equal(await page.locator('.calendar').count(), 0)
    t.strictSame(faults, [])
  },
)
