import { z } from 'zod'
import { OpenAddress, openAddressExample } from '../repositories/published-storage.ts'
import { SnapshotId } from '../../names.ts'
import { Instant, JsonObject } from '../../values.ts'

const licenceExample = { text: 'https://creativecommons.org/licenses/by/4.0/', attribute: 'license', spdx: 'CC-BY-4.0' }

const StatedLicence = z
  .object({
    text: z.string().describe('The text of the attribute, cut after 1,024 characters'),
    attribute: z
      .string()
      .describe('Name of the attribute: `license`, `licence` or `rights`, with its path in an item of STAC'),
    spdx: z
      .string()
      .nullable()
      .describe('Identifier of SPDX, if the text is one, or the usual name or address of that licence; otherwise null'),
  })
  .meta({ id: 'StatedLicence', description: 'A licence as an attribute states it', examples: [licenceExample] })

export const Citation = z
  .object({
    title: z.string().describe('Attribute `title`; without it, the name of the repository and the path of the group'),
    creators: z
      .array(z.string())
      .describe(
        'From the first of the attributes `creator_name`, `creator`, `creators`, `author`, `authors` and ' +
          '`institution` that is stated; separated by semicolons. Empty if none is',
      ),
    repository: z.string().describe('Name of the repository'),
    group: z.string().describe('Path of the group; the root is `""`'),
    open_address: OpenAddress,
    snapshot_id: SnapshotId,
    written_at: Instant.describe("When the snapshot was written, by the writer's clock"),
    url: z.string().describe('Address of the page of the dataset at this snapshot'),
    doi: z.string().nullable().describe('DOI that an attribute states, such as `10.5067/ABC`; null without one'),
    retraction: z
      .string()
      .nullable()
      .describe(
        'Why an administrator has retracted the dataset; null if nobody has. The citation says `retracted` then',
      ),
    licence: StatedLicence.nullable().describe('Null if no licence is stated'),
    text: z.string().describe('The citation as a sentence'),
    bibtex: z.string().describe('As an entry of BibTeX, with its special characters escaped'),
    csl: JsonObject.describe(
      'As an item of [CSL-JSON](https://citeproc-js.readthedocs.io/en/latest/csl-json/markup.html)',
    ),
    code: z
      .string()
      .describe(
        'Python code that opens the group at this snapshot with icechunk and xarray. It has `...` in place of the ' +
          'storage if the operator does not publish it',
      ),
  })
  .meta({
    id: 'Citation',
    description:
      'How to cite a dataset, and its licence. From attributes of the dataset alone, and those of the groups above it',
    examples: [
      {
        title: 'Hourly forecast',
        creators: ['Polar Institute'],
        repository: 'weather',
        group: 'forecast',
        open_address: openAddressExample,
        snapshot_id: 'YWH3AG0PQYPJ18BK7SP0',
        written_at: '2026-11-21T12:00:00.123Z',
        url: 'https://floe.example.org/v1/services/demo/acme/_meta/datasets/weather/YWH3AG0PQYPJ18BK7SP0/forecast',
        doi: null,
        retraction: null,
        licence: licenceExample,
        text:
          'Polar Institute (2026): Hourly forecast. weather/forecast, snapshot YWH3AG0PQYPJ18BK7SP0, 2026-11-21. ' +
          'https://floe.example.org/v1/services/demo/acme/_meta/datasets/weather/YWH3AG0PQYPJ18BK7SP0/forecast',
        bibtex: '@misc{weather_YWH3AG0PQYPJ18BK7SP0,\n  title = {{Hourly forecast}},\n  year = {2026}\n}\n',
        csl: { id: 'weather_YWH3AG0PQYPJ18BK7SP0', type: 'dataset', title: 'Hourly forecast' },
        code:
          `import icechunk\nimport xarray as xr\n\nstorage = icechunk.redirect_storage("${openAddressExample}")\n` +
          'repo = icechunk.Repository.open(storage)\n' +
          'session = repo.readonly_session(snapshot_id="YWH3AG0PQYPJ18BK7SP0")\n' +
          'ds = xr.open_zarr(session.store, group="forecast", consolidated=False)',
      },
    ],
  })
export type Citation = z.infer<typeof Citation>
