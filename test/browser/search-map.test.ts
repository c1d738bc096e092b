// The area of a search is chosen on its map, and with the fields beside it.
import { t, type Test } from 'tap'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { startServer } from '../server/start-server.ts'
import { accessibilityFaults } from './accessibility.ts'
import { openBrowser, openPage, withoutBrowser } from './open-browser.ts'

/** Opens the search page with its map unfolded. */
async function openMap(t: Test, options: BrowserContextOptions = {}) {
  const server = await startServer(t, { hasSearch: true })
  const { page, faults } = await openPage(await openBrowser(t), options)
  await page.goto(`${server.publicMeta}/search?q=wind`)
  await page.locator('.map summary').click()
  return { page, faults }
}

/** Where a longitude and a latitude are on the screen. Longitudes can be beyond the map. */
async function findPoint(page: Page, longitude: number, latitude: number) {
  const box = await page.locator('.map svg').boundingBox()
  if (box === null) throw new Error('the map is not visible')
  return { x: box.x + ((longitude + 210) / 420) * box.width, y: box.y + ((90 - latitude) / 180) * box.height }
}

async function drag(page: Page, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  const [start, end] = [await findPoint(page, ...from), await findPoint(page, ...to)]
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(end.x, end.y, { steps: 4 })
  await page.mouse.up()
}

const readFields = (page: Page) =>
  page.locator('[name=bbox]').evaluateAll((fields: HTMLInputElement[]) => fields.map(({ value }) => value))

/** Reads the rectangle of the area: x, y, width, height. */
const readArea = (page: Page) =>
  page
    .locator('rect.area')
    .evaluate((area) => ['x', 'y', 'width', 'height'].map((name) => Number(area.getAttribute(name) ?? NaN)))

/** Compares numbers that come from pixels. A pixel is less than a degree here. */
function isNear(t: Test, found: readonly (string | number)[], wanted: readonly number[]): void {
  const faults = wanted.filter((value, place) => !(Math.abs(Number(found[place]) - value) <= 1.5))
  t.strictSame(faults, [], `${found.join()} is about ${wanted.join()}`)
}

t.test(
  'a drag across the map fills in the fields, and the search finds that area',
  { skip: withoutBrowser },
  async (t) => {
    const { page, faults } = await openMap(t)
    t.strictSame(await accessibilityFaults(page), [])
    await drag(page, [-10, 60], [30, 35])
    const fields = await readFields(page)
    isNear(t, fields, [-10, 35, 30, 60])
    isNear(t, await readArea(page), [-10, -60, 40, 25])
    await page.getByRole('button', { name: 'Search here' }).click()
    await page.waitForURL(`**/search?q=wind&bbox=${encodeURIComponent(fields.join())}`)
    t.strictSame(await readFields(page), fields)
    isNear(t, await readArea(page), [-10, -60, 40, 25])
    t.strictSame(faults, [])
  },
)

t.test(
  'a drag can cross the antimeridian, go around the Earth and end at a pole',
  { skip: withoutBrowser },
  async (t) => {
    const { page } = await openMap(t)
    await drag(page, [170, 10], [200, -20])
    isNear(t, await readFields(page), [170, -20, -160, 10])
    isNear(t, await readArea(page), [170, -10, 30, 30])
    await drag(page, [-170, 10], [-200, -20])
    isNear(t, await readFields(page), [160, -20, -170, 10])
    await drag(page, [-100, 70], [-60, 120])
    isNear(t, await readFields(page), [-100, 70, -60, 90])
    await drag(page, [-190, -60], [205, -89])
    t.strictSame(
      (await readFields(page)).filter((_, place) => place % 2 === 0),
      ['-180', '180'],
    )
    await drag(page, [0, 0], [0, 0])
    t.strictSame((await readFields(page))[0], '-180', 'a click changes nothing')
  },
)

t.test('a finger draws sideways, and scrolls the page up and down', { skip: withoutBrowser }, async (t) => {
  const { page } = await openMap(t, { viewport: { width: 360, height: 500 }, hasTouch: true, isMobile: true })
  const { send } = await openTouch(page)
  const swipe = async (from: readonly [number, number], to: readonly [number, number]) => {
    const [start, end] = [await findPoint(page, ...from), await findPoint(page, ...to)]
    await send('touchStart', start)
    for (const step of [0.2, 0.4, 0.6, 0.8, 1])
      await send('touchMove', { x: start.x + (end.x - start.x) * step, y: start.y + (end.y - start.y) * step })
    await send('touchEnd')
  }
  await swipe([-60, 20], [60, -40])
  isNear(
    t,
    (await readFields(page)).map((edge) => Math.round(Number(edge) / 4)),
    [-15, -10, 15, 5],
  )
  const before = await readFields(page)
  await swipe([0, -80], [2, 60])
  await page.waitForFunction(() => scrollY > 0)
  t.strictSame(await readFields(page), before)
})

/** Touches the screen as a finger does. */
async function openTouch(page: Page) {
  const session = await page.context().newCDPSession(page)
  return {
    send: (type: 'touchStart' | 'touchMove' | 'touchEnd', point?: { readonly x: number; readonly y: number }) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: point ? [point] : [] }),
  }
}

t.test('the keyboard fills in the fields, and the map follows', { skip: withoutBrowser }, async (t) => {
  const { page, faults } = await openMap(t)
  await page.getByLabel('West', { exact: true }).focus()
  for (const edge of ['170', '-30', '-170', '-10']) {
    await page.keyboard.type(edge)
    await page.keyboard.press('Tab')
  }
  t.strictSame(await readArea(page), [170, 10, 20, 20])
  await page.getByLabel('North', { exact: true }).press('ArrowUp')
  t.strictSame(await readArea(page), [170, 9, 20, 21])
  await page.getByLabel('North', { exact: true }).fill('95')
  t.strictSame((await readArea(page)).slice(2), [0, 0], 'what is no area is not drawn')
  await page.getByLabel('North', { exact: true }).fill('-9')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/search?q=wind&bbox=170%2C-30%2C-170%2C-9')
  await page.getByRole('button', { name: 'Clear' }).press('Enter')
  t.strictSame(await readFields(page), ['', '', '', ''])
  t.strictSame((await readArea(page)).slice(2), [0, 0])
  t.strictSame(faults, [])
})

t.test('without script, the fields ask for an area, and the map shows it', { skip: withoutBrowser }, async (t) => {
  const { page } = await openMap(t, { javaScriptEnabled: false })
  for (const [name, edge] of Object.entries({ West: '170', South: '-90', East: '-170', North: '-89' }))
    await page.getByLabel(name, { exact: true }).fill(edge)
  t.equal(await page.getByText('drag across the map').isVisible(), false)
  await page.getByRole('button', { name: 'Search here' }).click()
  t.match(await page.locator('.chips').innerText(), 'Area: 170,-90,-170,-89')
  t.match(await page.locator('rect.area').evaluate((area) => area.outerHTML), 'x="170" y="88" width="20" height="2"')
  t.equal(await page.getByRole('alert').count(), 0)
})
