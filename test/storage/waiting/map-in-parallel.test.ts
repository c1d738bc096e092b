import { t } from 'tap'
import { mapInParallel } from '../../../storage/waiting/map-in-parallel.ts'

/** Tasks that end when the test says so. */
function makeTasks() {
  const started = new Map<number, PromiseWithResolvers<string>>()
  const run = (item: number) => {
    const task = Promise.withResolvers<string>()
    started.set(item, task)
    return task.promise
  }
  const end = async (item: number, error?: Error) => {
    if (error) started.get(item)?.reject(error)
    else started.get(item)?.resolve(`done ${item}`)
    await new Promise(setImmediate)
  }
  return { started, run, end }
}

t.test('so many tasks run at the same time, and the results are in the order of the items', async (t) => {
  const { started, run, end } = makeTasks()
  const results = mapInParallel([1, 2, 3, 4], 2, run)
  t.strictSame([...started.keys()], [1, 2])
  await end(2)
  t.strictSame([...started.keys()], [1, 2, 3])
  for (const item of [3, 4, 1]) await end(item)
  t.strictSame(await results, ['done 1', 'done 2', 'done 3', 'done 4'])
})

t.test('a failure is thrown at once, and no other task starts', async (t) => {
  const { started, run, end } = makeTasks()
  const results = mapInParallel([1, 2, 3, 4], 2, run)
  const failed = t.rejects(results, { message: 'lost' })
  await end(1, new Error('lost'))
  await failed
  await end(2)
  t.strictSame([...started.keys()], [1, 2])
})

t.test('no items have no results', async (t) => {
  t.strictSame(await mapInParallel([], 2, makeTasks().run), [])
})
