// Checks a page with axe-core.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const displays = [
  { colorScheme: 'light', width: 1280, height: 900 },
  { colorScheme: 'dark', width: 360, height: 740 },
] as const

/** Lists what axe finds wrong on a wide light display and on a narrow dark one, and whether the page is too wide. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Playwright copies what an expression returns, and axe itself would be megabytes.
  if (await page.evaluate(`!('axe' in globalThis)`)) await page.evaluate(`(() => { ${axe} })()`)
  const faults: string[] = []
  for (const { colorScheme, ...size } of displays) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(size)
    // What is right would be thousands of nodes. A result from the page is untyped; this is axe's own type.
    const violations = await page.evaluate<AxeResults['violations']>(
      `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)`,
    )
    const found = violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${target.join(' ')}`))
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) found.push('wider than its window')
    faults.push(...found.map((fault) => `${colorScheme} ${size.width}: ${fault}`))
  }
  return faults
}
