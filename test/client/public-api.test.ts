import * as client from '@floe/client'
import * as contract from '@floe/contract'
import t from 'tap'

t.test('the client exports these values and no others', async (t) => {
  t.strictSame(Object.keys(client).sort(), [
    'ContractViolationError',
    'FloeError',
    'NetworkError',
    'NotificationError',
    'ProblemResponseError',
    'TimeoutError',
    'UnexpectedResponseError',
    'createClient',
    'createReceiver',
    'parseNotification',
    'verifySecretToken',
    'verifySignature',
  ])
})

t.test('the contract exports these values and no others', async (t) => {
  t.strictSame(Object.keys(contract).sort(), [
    'CommitsUnavailableReason',
    'DatasetDict',
    'DatasetInfo',
    'DatasetKeys',
    'DatasetList',
    'DeploymentName',
    'GroupPath',
    'NewCommit',
    'OrgName',
    'Problem',
    'RefList',
    'RefName',
    'RepoName',
    'RepositoryList',
    'SnapshotId',
    'contract',
    'notificationJsonSchema',
    'openApiDocument',
    'problemDefinitions',
    'problemType',
    'routesOf',
  ])
})
