import { t } from 'tap'
import { readLicence } from '../../../server/self-description/read-licence.ts'

const read = (attributes: Readonly<Record<string, string>>) => readLicence(new Map(Object.entries(attributes)))

t.test('identifiers of SPDX, usual names and addresses are recognised', (t) => {
  for (const [text, spdx] of [
    ['CC-BY-4.0', 'CC-BY-4.0'],
    ['cc by 4.0', 'CC-BY-4.0'],
    ['CC_BY_SA 4.0', 'CC-BY-SA-4.0'],
    ['https://creativecommons.org/licenses/by/4.0/', 'CC-BY-4.0'],
    ['http://www.creativecommons.org/licenses/by-nc-sa/4.0/deed.de', 'CC-BY-NC-SA-4.0'],
    ['https://creativecommons.org/publicdomain/zero/1.0/', 'CC0-1.0'],
    ['https://spdx.org/licenses/ODbL-1.0', 'ODbL-1.0'],
    [' mit ', 'MIT'],
    ['CC-BY', null],
    ['https://example.org/licenses/by/4.0/', null],
    ['Free for research', null],
    ['x'.repeat(100_000), null],
  ] as const)
    t.equal(read({ license: text })?.spdx, spdx, text.slice(0, 60))
  t.end()
})

t.test('the first attribute that states one counts', (t) => {
  t.match(read({ rights: 'MIT', license: 'Free' }), { text: 'Free', attribute: 'license', spdx: null })
  t.match(read({ rights: 'MIT', license: ' ' }), { text: 'MIT', attribute: 'rights' })
  t.equal(read({ title: 'MIT' }), null)
  t.end()
})
