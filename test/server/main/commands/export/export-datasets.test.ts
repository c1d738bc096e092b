// `floe export` on repositories that official Icechunk wrote, from a location and from a service.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DataHubProposals, OpenMetadataContainer } from '@floe/contract'
import { t } from 'tap'
import { findPython } from '../../../../find-python.ts'
import { fixtures, startServer } from '../../../start-server.ts'
import { runHere } from '../run-here.ts'

const command = ['export', 'datahub']

/** The containers without the addresses of pages. */
function readContainers(printed: string) {
  const containers = OpenMetadataContainer.array().parse(JSON.parse(printed))
  return containers.map(({ sourceUrl: _, ...container }) => container)
}

/** The proposals without the addresses of pages, which only a service has. */
function readProposals(printed: string) {
  return DataHubProposals.parse(JSON.parse(printed)).map(({ aspect, ...proposal }) => {
    const { externalUrl: _, ...json } = aspect.json
    return { ...proposal, json }
  })
}

// Proves: `floe export datahub` writes the same about a location and about a service that serves it
t.test('a location and a service give the same, but for the addresses of pages', async (t) => {
  const { origin, apiKey } = await startServer(t)
  const selection = ['--org', 'acme', '--repo', 'weather*', '--repo', 'sat?llite']
  const service = ['--url', `${origin}/v1`, '--deployment', 'tiles', '--key', apiKey]
  const page = `${origin}/v1/services/tiles/acme/_meta/datasets/weather/main/forecast`
  for (const { name, read, named, address } of [
    {
      name: 'datahub',
      read: readProposals,
      named: 'urn:li:dataset:(urn:li:dataPlatform:icechunk,acme/weather/forecast,PROD)',
      address: `"externalUrl":"${page}"`,
    },
    { name: 'openmetadata', read: readContainers, named: 'acme/weather/forecast', address: `"sourceUrl":"${page}"` },
  ]) {
    const local = await runHere(['export', name, fixtures, ...selection])
    t.equal(local.code, 0, local.err)
    const remote = await runHere(['export', name, ...service, ...selection])
    t.equal(remote.code, 0, remote.err)
    t.strictSame(read(remote.out), read(local.out))
    t.match(local.out, `"${named}"`)
    t.match(remote.out, address)
  }
})

const python = findPython('datahub')
t.test('the models of DataHub accept every sample', { skip: python.skip }, async (t) => {
  const { out } = await runHere([...command, fixtures])
  const file = join(t.testdir(), 'floe.json')
  await writeFile(file, out)
  const program = `
import json, sys
from datahub.cli.json_file import check_mce_file
from datahub.emitter.mcp import MetadataChangeProposalWrapper
print(check_mce_file(sys.argv[1]))
for written in json.load(open(sys.argv[1])):
    proposal = MetadataChangeProposalWrapper.from_obj(written)
    assert isinstance(proposal, MetadataChangeProposalWrapper) and proposal.validate(), written
`
  const { stdout } = await promisify(execFile)(python.command, ['-c', program, file])
  t.match(stdout, `${readProposals(out).length} MCEs found - all valid`)
})

const withModels = findPython('metadata.generated.schema.api.data.createContainer')
t.test('the models of OpenMetadata accept every sample', { skip: withModels.skip }, async (t) => {
  const { out } = await runHere(['export', 'openmetadata', fixtures])
  const file = join(t.testdir(), 'floe.json')
  await writeFile(file, out)
  const program = `
import json, sys
from metadata.generated.schema.api.data.createContainer import CreateContainerRequest
print(len([CreateContainerRequest.model_validate(written) for written in json.load(open(sys.argv[1]))]))
`
  const { stdout } = await promisify(execFile)(withModels.command, ['-c', program, file])
  t.equal(Number(stdout), readContainers(out).length)
})

t.test('what cannot be read is named, and nothing to export is an error', async (t) => {
  const location = join(fixtures, 'weather')
  t.match(await runHere(command), { code: 2, err: /export datahub needs LOCATION or --url/ })
  t.match(await runHere(['export', 'csv', location]), { code: 2, err: /CATALOGUE is datahub or openmetadata/ })
  t.match(await runHere([...command, location, '--ref', 'nowhere']), {
    code: 1,
    out: '',
    err: /left out weather nowhere: .*\n.*there are no datasets to export/s,
  })
})
