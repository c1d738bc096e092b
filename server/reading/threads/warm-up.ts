// Runs code before the first question, because loading and compiling it takes longer than most answers.
import { decodeSnapshot, parseSnapshotId } from '@floe/storage/icechunk'
import { answerQuestion } from '../answer-question.ts'
import type { Question, SnapshotKind } from '../question.ts'

/** A snapshot that official Icechunk wrote: the root group with packed temperatures, their times, and a coordinate. */
const snapshotOfThreeArrays = {
  id: '7HC2F2CASWZKAT5FMWYG',
  base64: [
    'SUNF8J+nikNIVU5LaWMtMi4zLjAgICAgICAgICAgICAgICAgAgEBKLUv/WCACnUbAHboiEcQjygdAPlAMGGMAAuQkagISOsIomUVRehqDVZOh38gsm9uu8uH',
    'bY3sJZCYKFiRqXka98dOGdPGRhTvaC81teYBVfNpfZtOAXgAcAB2ABFCiIqSXpXGqt5qiwVMudIIy1rnliEoEH5IIITwcwJRcbp6hSOEnwq/puXXxPjv+Tep',
    'FicgICRaLio0/n+fDA7fpPydEv9HQyflBYoNp+znSJX8HCT/RwZCjFidELDIgEFAhJL/ocOPLnroHwf95zzkIdZqY/B/FL0yc1cqr7Wb9tK2OcFelyZvy9oZ',
    'eyr05twTd81BVGx5mLXN1Ra7uTI7mTHL7HKmXWwq64wQ4plhKnib0m4x87pe0bqOcrF0be7brolz5zU3papSabc6NdhkxSD8xFAgHKmW5r6einLV3u481byx',
    '1TX3PHQPKCVj4bNFc5xdb6aMZMpIWZaNwLlViiG+nl3FTKvn4tfAIEmlmJlxIOKCaEbL/yp1Xr4vpqP5vhh4jQ/4L/q+mNQf+6DciWvfrE1VX5sxrO/tKW2N',
    'BCAq5m5dy2n3Nkt8Ra1aiutsURk/JxETVNW+mqRd/7/xv8Q5J2avyuWRWrcpRIii+b+E/6sDKiYuKxKc6KC5x0XfeGh0j39eL/edrtbMpc5f3/fBgO75Xj7y',
    'fwX/Ow56R+gdN5EgdB1doI1AVMwTc5zVpOx4Esm25jRsErLR+DeiDyACNMwJxkMDGdR/ABsT3yfzgBOAhqiRHUJKUc1IkmTZDEACQgyymvMSIPU4TGqlTEAi',
    'kQQjSUG5JSm70AEEKCpjlL1nYHtAKnBP2zuSanpIbjSkb/e6gu8U9in/kJVctv2Lp/0tuIncjde7w7PbiGg0knCiafXdWx5H8oMah9V1CDsKXEB6tasCMh5V',
    'kC9h+9dFfQYqXVZUGXud+mZKBGTdAwWfL1NvmAvYdXx6z1I4xyzWJYbuz6wc+rQgNDQ/96wIwLFXReDguSk166ZtxIOL72frHM8+nsiLp985VJtogpFDjiYT',
    'Zsr9+ZedLodY4uS2rCxw3GfyTU4I/idlvo9n/DPjK2PjYsyECt8tWBtO43R3nNidcePGxY4I4EOG+oSsfQbfsTuypNbj0fSGtK1unTnQnwgi99wdY8ztQELs',
    'S8eMRbTLGPvc0Kcg+M735z13VM0Y/cHQulCq',
  ].join(''),
}

const page = {
  deployment: { name: 'warm-up', org: 'warm-up', baseUrl: 'http://warm-up.invalid/v1' },
  repo: 'warm-up',
  ref: { kind: 'branch', name: 'main' },
  location: null,
  v1: '/v1',
  assetsRoot: '/assets',
} as const

const questions: readonly Question<SnapshotKind>[] = [
  { kind: 'info', group: '' },
  { kind: 'keys', group: '' },
  { kind: 'dict', group: '' },
  { kind: 'datasets', below: '' },
  { kind: 'dataset-page', group: '', page },
  { kind: 'ref-page', below: '', page },
]

/** Decodes a small snapshot and answers every kind of question about it; returns the answers. */
export async function warmUp(): Promise<readonly Uint8Array[]> {
  const id = parseSnapshotId(snapshotOfThreeArrays.id)
  if (id === undefined) throw new TypeError(`${snapshotOfThreeArrays.id} is not the id of a snapshot`)
  const bytes = Buffer.from(snapshotOfThreeArrays.base64, 'base64')
  const snapshot = await decodeSnapshot({ repository: 'warm-up', key: 'warm-up', bytes }, id)
  return questions.map((question) => answerQuestion(snapshot, question))
}
