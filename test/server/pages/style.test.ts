import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { t } from 'tap'
import { listAssets } from '../../../server/http/assets.ts'

const assets = fileURLToPath(new URL('../../../server/pages/assets/', import.meta.url))
const [asset] = await listAssets(assets, ['style.css'])
const style = (await asset?.read())?.bytes.toString() ?? ''

/** Reads the colours of a scheme. The second `:root` block has those that differ in the dark scheme. */
function colours(scheme: 'light' | 'dark'): Map<string, string> {
  const blocks = [...style.matchAll(/:root \{([^}]*)\}/g)].map(([, block = '']) => block)
  const declarations = blocks.slice(0, scheme === 'light' ? 1 : 2).join('')
  return new Map(
    [...declarations.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]),
  )
}

/** Relative luminance as WCAG 2.2 defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(colour: string, background: string): number {
  const [dark = 0, light = 0] = [luminance(colour), luminance(background)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

for (const scheme of ['light', 'dark'] as const) {
  t.test(`text has a contrast of at least 4.5 in the ${scheme} scheme`, async (t) => {
    const colour = colours(scheme)
    const pairs = [
      ...['ink', 'muted', 'accent', 'type', 'warning'].flatMap((text) => [
        [text, 'ground'],
        [text, 'panel'],
      ]),
      ['ink', 'warning-ground'],
      ['warning', 'warning-ground'],
      ['on-accent', 'accent'],
    ]
    for (const [text = '', ground = ''] of pairs) {
      const ratio = contrast(colour.get(text) ?? '', colour.get(ground) ?? '')
      t.ok(ratio >= 4.5, `${text} on ${ground}: ${ratio.toFixed(2)}`)
    }
  })

  t.test(`the focus ring has a contrast of at least 3 in the ${scheme} scheme`, async (t) => {
    const colour = colours(scheme)
    t.ok(contrast(colour.get('focus') ?? '', colour.get('ground') ?? '') >= 3)
  })

  t.test(`the marks of gaps have a contrast of at least 3 in the ${scheme} scheme`, async (t) => {
    const colour = colours(scheme)
    for (const ground of ['ground', 'panel']) {
      t.ok(contrast(colour.get('lacking') ?? '', colour.get(ground) ?? '') >= 3, ground)
    }
  })
}

t.test('the stylesheet loads nothing, because its parts are in it', async (t) => {
  t.notMatch(style, /@import|url\(|@font-face/)
  for (const part of await readdir(`${assets}style`)) {
    t.ok(style.includes(await readFile(`${assets}style/${part}`, 'utf8')), part)
  }
})
