import fc from 'fast-check'
import { t } from 'tap'
import { listNearest, suggestName } from '../../../server/text/nearest-name.ts'
import { checkProperty } from '../../check-property.ts'

t.test('a name with few mistakes gets the nearest one, and others none', async (t) => {
  const names = ['weather', 'weather-v1', 'satellite', 'era5', 'gfs']
  for (const [misspelt, meant] of [
    ['wether', 'weather'],
    ['waether', 'weather'],
    ['weatherr', 'weather'],
    ['Weather', 'weather'],
    ['weather-v2', 'weather-v1'],
    ['satelite', 'satellite'],
    ['era6', 'era5'],
    ['GFS', undefined],
    ['gf', undefined],
    ['climate', undefined],
    ['', undefined],
  ] as const) {
    t.equal(suggestName(misspelt, names), meant === undefined ? '' : `; did you mean ${meant}?`, misspelt)
  }
})

t.test('the nearest names come first, and at most three are listed', async (t) => {
  t.strictSame(listNearest('release-1', ['main', 'release-22', 'release-2', 'releases-1']), [
    'release-2',
    'releases-1',
    'release-22',
  ])
  t.equal(listNearest('release', ['release1', 'release2', 'release3', 'release4']).length, 3)
})

t.test('one mistake in a long name is always found', async () => {
  const place = fc.nat()
  await checkProperty(
    1_000,
    fc.property(
      fc.stringMatching(/^[a-z]{6,40}$/),
      place,
      fc.constantFrom('drop', 'double', 'swap'),
      (name, at, mistake) => {
        const index = at % (name.length - 1)
        const [before, one, two, after] = [name.slice(0, index), name[index], name[index + 1], name.slice(index + 2)]
        const changed = { drop: [two], double: [one, one, two], swap: [two, one] }[mistake]
        const misspelt = before + changed.join('') + after
        const hint = suggestName(misspelt, ['other', name])
        return misspelt === name || hint === `; did you mean ${name}?`
      },
    ),
  )
})

t.test('a name is compared with at most 2,000 others, and a long one with none', async (t) => {
  let compared = 0
  function* listNames() {
    for (;;) {
      compared += 1
      yield 'name'
    }
  }
  t.strictSame(listNearest('release', listNames()), [])
  t.equal(compared, 2_000)
  compared = 0
  t.equal(suggestName('x'.repeat(255), listNames()), '')
  t.equal(compared, 0)
})
