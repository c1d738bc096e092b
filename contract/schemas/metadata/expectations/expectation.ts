// Expectations: what is expected of the branches that match, whether they meet it, and since when.
import { z } from 'zod'
import { listOf } from '../../values.ts'
import { listForms } from './expectation-forms.ts'

export const ExpectationCreation = z
  .discriminatedUnion('kind', listForms('creation'))
  .meta({
    id: 'ExpectationCreation',
    description: 'An expectation to add. `kind` decides which other members it has',
    examples: listExamples('creation'),
  })
export type ExpectationCreation = z.infer<typeof ExpectationCreation>

export const ExpectationChange = z
  .discriminatedUnion('kind', listForms('change'))
  .meta({
    id: 'ExpectationChange',
    description: 'The members to change, and the kind of the expectation, which stays the same',
    examples: listExamples('change'),
  })
export type ExpectationChange = z.infer<typeof ExpectationChange>

export const Expectation = z
  .discriminatedUnion('kind', listForms('shown'))
  .meta({
    id: 'Expectation',
    description: 'What is expected of branches, and whether they meet it',
    examples: listExamples('shown'),
  })
export type Expectation = z.infer<typeof Expectation>

export const ExpectationList = listOf(Expectation, {
  id: 'ExpectationList',
  description: 'Expectations, without the documents of contracts',
})

/** An expectation of one branch, as readers of the repository see it. */
export const ExpectationState = z
  .discriminatedUnion('kind', listForms('state'))
  .meta({
    id: 'ExpectationState',
    description: 'What is expected of a branch, and whether it meets it',
    examples: listExamples('state'),
  })
export type ExpectationState = z.infer<typeof ExpectationState>

function listExamples(form: 'creation' | 'change' | 'shown' | 'state') {
  return listForms(form).flatMap((schema) => schema.meta()?.['examples'] ?? [])
}
