import { t } from 'tap'
import { readLicence } from '../../../server/self-description/read-licence.ts'

const read = (attributes: Readonly<Record<string, string>>) => readLicence(new Map(Object.entries(attributes)))

t.test('identifiers of SPDX, usual names and addresses are recognised', async (t) => {
  for (const [text, spdx] of [
    ['CC-BY-4.0', 'CC-BY-4.0'],
    ['cc by 4.0', 'CC-BY-4.0'],
    ['CC_BY_SA  4.0', 'CC-BY-SA-4.0'],
    ['https://creativecommons.org/licenses/by/4.0/', 'CC-BY-4.0'],
    ['http://www.creativecommons.org/licenses/by-sa/4.0/legalcode', 'CC-BY-SA-4.0'],
    ['http://www.creativecommons.org/licenses/by-nc-sa/4.0/deed.de', 'CC-BY-NC-SA-4.0'],
    ['https://creativecommons.org/publicdomain/zero/1.0/deed.en', 'CC0-1.0'],
    ['https://spdx.org/licenses/ODbL-1.0', 'ODbL-1.0'],
    ['https://spdx.org/licenses/ODbL-1.0.html', 'ODbL-1.0'],
    ['https://opendatacommons.org/licenses/by/1-0/', 'ODC-By-1.0'],
    [' mit ', 'MIT'],
    ['cc0', 'CC0-1.0'],
    ['CC-BY', null],
    ['Free for research', null],
    ['https://example.org/licenses/by/4.0/', null],
    ['x'.repeat(100_000), null],
  ] as const)
    t.equal(read({ license: text })?.spdx, spdx, text.slice(0, 60))
})

t.test('the first attribute that states one counts', async (t) => {
  t.match(read({ rights: 'MIT', license: 'Free' }), { text: 'Free', attribute: 'license', spdx: null })
  t.match(read({ rights: 'MIT', license: ' ' }), { text: 'MIT', attribute: 'rights' })
  t.equal(read({ title: 'MIT' }), null)
})

t.test('only an address without markup is the address of a licence', async (t) => {
  const readAddress = (text: string) => read({ rights: text })?.address
  t.equal(readAddress('https://example.org/terms'), 'https://example.org/terms')
  for (const text of ['javascript:alert(1)', 'https://example.org/"><script>', 'https://', 'see https://example.org'])
    t.equal(readAddress(text), null, text)
})
