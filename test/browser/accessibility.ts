// axe-core, run on a page as it stands.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const looks = [
  { colorScheme: 'light', width: 1280, height: 900 },
  { colorScheme: 'dark', width: 360, height: 740 },
] as const

/** What axe finds wrong, wide and light as well as narrow and dark, and whether the page is wider than its window. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(`globalThis.axe ?? (() => { ${axe} })()`)
  const faults: string[] = []
  for (const { colorScheme, ...size } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(size)
    // The result comes out of the page untyped; this is axe's own type.
    const { violations } = await page.evaluate<AxeResults>('axe.run()')
    const found = violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${target.join(' ')}`))
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) found.push('wider than its window')
    faults.push(...found.map((fault) => `${colorScheme} ${size.width}: ${fault}`))
  }
  return faults
}
