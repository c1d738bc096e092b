import { parseJsonObject } from '@floe/storage/json'
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

const cmip6 = (licence: string) =>
  `CMIP6 model data produced by NCAR is licensed under a Creative Commons ${licence} ` +
  '(https://creativecommons.org/licenses/). Consult https://pcmdi.llnl.gov/CMIP6/TermsOfUse for terms of use ' +
  'governing CMIP6 output. The data producers make no warranty, either express or implied, including, but not ' +
  'limited to, warranties of merchantability.'

t.test('the only licence that a sentence names is recognised', async (t) => {
  for (const [text, spdx] of [
    [cmip6('Attribution-ShareAlike 4.0 International License'), 'CC-BY-SA-4.0'],
    [cmip6('Attribution-NonCommercial-ShareAlike 4.0 International License'), 'CC-BY-NC-SA-4.0'],
    [cmip6('Attribution 4.0 International License'), 'CC-BY-4.0'],
    [cmip6('CC0 1.0 Universal Public Domain Dedication License'), 'CC0-1.0'],
    ['CC0 1.0 Universal (CC0 1.0) Public Domain Dedication', 'CC0-1.0'],
    ['Creative Commons Attribution 4.0 International (CC BY 4.0)', 'CC-BY-4.0'],
    ['Creative Commons Attribution-NonCommercial-NoDerivatives 4.0', 'CC-BY-NC-ND-4.0'],
    ['Creative Commons Attribution 3.0 Unported License', 'CC-BY-3.0'],
    ['See https://creativecommons.org/publicdomain/zero/1.0/ for details', 'CC0-1.0'],
    ['Free to use under CC-BY 4.0. Please cite us.', 'CC-BY-4.0'],
    ['Terms: https://creativecommons.org/licenses/by-nc/4.0/deed.en. Please cite us.', 'CC-BY-NC-4.0'],
    ['Made available under the Open Database License: http://opendatacommons.org/licenses/odbl/1.0/', 'ODbL-1.0'],
    ['These data have the ODC-BY 1.0 licence', 'ODC-By-1.0'],
    ['Contains public sector information licensed under the Open Government Licence v3.0.', 'OGL-UK-3.0'],
    ['Contains information licensed under the Open Government Licence - Canada, version 2.0.', 'OGL-Canada-2.0'],
    ['Licence Ouverte / Open Licence (Etalab) version 2.0', 'etalab-2.0'],
    ['Datenlizenz Deutschland - Namensnennung - Version 2.0', 'DL-DE-BY-2.0'],
    ['Norwegian Licence for Open Government Data (NLOD) 2.0', 'NLOD-2.0'],
    ['Licensed under the Apache License, Version 2.0 (https://www.apache.org/licenses/LICENSE-2.0)', 'Apache-2.0'],
    ['Distributed under the MIT License, see https://opensource.org/licenses/MIT', 'MIT'],
    ['Released with a BSD 3-clause license', 'BSD-3-Clause'],
  ] as const)
    t.equal(read({ license: text })?.spdx, spdx, text.slice(0, 120))
})

t.test('a licence of an item of STAC counts, and its attribute is named with its path', async (t) => {
  const item = '{"stac_discovery":{"type":"Feature","properties":{"license":"CC-BY-SA-3.0-IGO"}}}'
  t.match(readLicence(parseJsonObject(item)), {
    spdx: 'CC-BY-SA-3.0-IGO',
    attribute: 'stac_discovery.properties.license',
  })
})

t.test('a sentence about several licences, or that denies or restricts one, gives none', async (t) => {
  for (const text of [
    'CC BY 4.0 and CC BY-SA 4.0',
    'Data have ODbL 1.0, contents the DbCL and CC BY 4.0',
    'MIT License for code and Apache License 2.0 for data',
    'Open Government Licence',
    'ODbL 2.0',
    'Apache License 2.0.1',
    'not under the MIT License',
    'CC BY 4.0 for data, GPL for code',
    'Data: CC BY 4.0. Code: MIT License',
    'CC BY 4.0; earlier data were CC BY-NC 4.0',
    'CC BY 4.0 or ODbL-1.0',
    'These data are not licensed\nunder CC BY 4.0',
    'These data are not, e.g. CC BY 4.0',
    'CC0 does not apply. CC BY 4.0.',
    'No licence such as CC BY 4.0 applies',
    'Only the metadata are CC0',
    'Terms of CC BY-SA 3.0 IGO',
    'CC BY 3.0 Austria',
    'https://creativecommons.org/licenses/by/3.0/us/ applies',
    'Creative Commons Attribution',
    `${'not '.repeat(2_000)}CC BY 4.0`,
    'cc by '.repeat(800),
  ])
    t.equal(read({ license: text })?.spdx, null, text.slice(0, 60))
  const readList = (...texts: readonly string[]) => readLicence(new Map([['license', texts]]))
  t.match(readList('CC BY 4.0', 'MIT'), { text: 'CC BY 4.0, MIT', spdx: null })
  t.equal(readList('CC BY 4.0', 'CC-BY-4.0')?.spdx, 'CC-BY-4.0')
  t.equal(readList(...Array.from({ length: 21 }, () => 'CC BY 4.0'))?.spdx, null, 'a long list is not compared')
})
