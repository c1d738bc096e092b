// Expectations: what is expected of the branches that match, whether they meet it, and since when.
import { z } from 'zod'
import { listOf } from '../../values.ts'
import { listForms } from './expectation-forms.ts'

/** Makes the schema of one form of all kinds, with the examples of each. */
function unionOf<Form extends 'creation' | 'change' | 'shown' | 'state'>(form: Form, id: string, description: string) {
  const forms = listForms(form)
  const examples = forms.flatMap((schema) => schema.meta()?.['examples'] ?? [])
  return z.discriminatedUnion('kind', forms).meta({ id, description, examples })
}

export const ExpectationCreation = unionOf(
  'creation',
  'ExpectationCreation',
  'An expectation to add. `kind` decides which other members it has',
)
export type ExpectationCreation = z.infer<typeof ExpectationCreation>

export const ExpectationChange = unionOf(
  'change',
  'ExpectationChange',
  'The members to change, and the kind of the expectation, which stays the same',
)
export type ExpectationChange = z.infer<typeof ExpectationChange>

export const Expectation = unionOf('shown', 'Expectation', 'What is expected of branches, and whether they meet it')
export type Expectation = z.infer<typeof Expectation>

export const ExpectationList = listOf(Expectation, {
  id: 'ExpectationList',
  description: 'Expectations, without the documents of contracts',
})

/** An expectation of one branch, as readers of the repository see it. */
export const ExpectationState = unionOf(
  'state',
  'ExpectationState',
  'What is expected of a branch, and whether it meets it',
)
export type ExpectationState = z.infer<typeof ExpectationState>
