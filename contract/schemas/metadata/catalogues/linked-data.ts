// Documents in JSON-LD. Their members are those of the vocabularies of others, which describe what is in them.
import { z } from 'zod'
import { Instant, JsonObject } from '../../values.ts'

const context = JsonObject.describe('Meaning of the names in the document')

/** A value as the vocabulary has it. */
const node = z.unknown()

export const CroissantDataset = z
  .object({
    '@context': context,
    '@type': z.literal('sc:Dataset').describe('Kind of the document'),
    conformsTo: z.string().describe('Version of Croissant'),
    isLiveDataset: z.literal(true).describe('The dataset can change, so its files have no checksums'),
    name: z.string().describe('Title, also of a group above; else the path'),
    description: z.string().describe('Summary, also of a group above; else the names of the variables'),
    url: z.string().describe('Page of the dataset'),
    version: z.string().describe('Id of the snapshot'),
    creativeWorkStatus: z.literal('Retracted').optional().describe('Only if the dataset is retracted'),
    correction: z.string().optional().describe('Address of what to use instead of a retracted dataset'),
    datePublished: Instant.describe('When the snapshot was committed: UTC, milliseconds'),
    dateModified: Instant.describe('The same'),
    citeAs: z.string().describe('How to cite the dataset at this snapshot, in BibTeX'),
    license: z.string().optional().describe('Address of the stated license, else its text'),
    keywords: z.array(z.string()).optional().describe('Stated keywords'),
    creator: z.array(node).optional().describe('Stated creators, else the institution'),
    contributor: z.array(node).optional().describe('Stated contributors'),
    publisher: JsonObject.optional().describe('Stated publisher'),
    identifier: z.string().optional().describe('Address of the stated DOI'),
    temporalCoverage: z.string().optional().describe('Stated time: `start/end`; `..` for an end that is not stated'),
    spatialCoverage: JsonObject.optional().describe('Stated area'),
    variableMeasured: z.array(node).optional().describe('The first 100 data variables'),
    includedInDataCatalog: node.describe('The organisation and the page of its repositories'),
    distribution: z.array(node).describe('The schema in JSON, and the repository where the operator publishes it'),
  })
  .meta({
    id: 'CroissantDataset',
    description: 'A dataset in the vocabulary of Croissant 1.0 and schema.org',
    examples: [
      {
        '@context': { '@vocab': 'https://schema.org/', sc: 'https://schema.org/' },
        '@type': 'sc:Dataset',
        conformsTo: 'http://mlcommons.org/croissant/1.0',
        isLiveDataset: true,
        name: 'Forecast of the regional model',
        description: 'Two days, every hour',
        url: 'https://floe.example.org/v1/services/demo/acme/_meta/datasets/weather/main/forecast',
        version: '1CECHNKREP0F1RSTCMT0',
        datePublished: '2026-11-21T12:00:00.123Z',
        dateModified: '2026-11-21T12:00:00.123Z',
        citeAs: '@misc{weather_1CECHNKREP0F1RSTCMT0,\n  title = {{Forecast of the regional model}}\n}\n',
        includedInDataCatalog: { '@type': 'DataCatalog', name: 'acme' },
        distribution: [],
      },
    ],
  })
export type CroissantDataset = z.infer<typeof CroissantDataset>

export const DcatCatalog = z
  .object({
    '@context': context,
    '@id': z.string().describe('Address of the catalog'),
    '@type': z.literal('dcat:Catalog').describe('Kind of the document'),
    'dct:title': z.string().describe('Title or name of the repository, or names of organisation and deployment'),
    'dct:description': z.string().describe('What the catalog contains'),
    'dct:publisher': node.describe('The organisation'),
    'foaf:homepage': node.describe('Page of the repository or deployment'),
    'dcat:catalog': z.array(node).optional().describe('Addresses of the catalogs of the repositories'),
    'dcat:dataset': z.array(node).optional().describe('Datasets of the repository'),
  })
  .meta({
    id: 'DcatCatalog',
    description: 'A catalog in the vocabulary of DCAT-AP 3.0',
    examples: [
      {
        '@context': { dcat: 'http://www.w3.org/ns/dcat#', dct: 'http://purl.org/dc/terms/' },
        '@id': 'https://floe.example.org/v1/services/demo/acme/_meta/dcat',
        '@type': 'dcat:Catalog',
        'dct:title': 'acme demo',
        'dct:description': 'Icechunk repositories of acme in the deployment demo',
        'dct:publisher': { '@type': 'foaf:Agent', 'foaf:name': 'acme' },
        'foaf:homepage': { '@id': 'https://floe.example.org/v1/services/demo/acme/_meta/' },
        'dcat:catalog': [{ '@id': 'https://floe.example.org/v1/services/demo/acme/_meta/dcat/weather' }],
      },
    ],
  })
export type DcatCatalog = z.infer<typeof DcatCatalog>
