import { ConfirmDialog, type ConfirmDialogProps } from '../components/dialog.tsx'
import { FormFields } from './form-fields.tsx'
import type { Form } from './use-form.ts'

type FormDialogProps = Omit<ConfirmDialogProps, 'isTouched' | 'errors'> & { readonly form: Form }

const conflictText =
  'Somebody else has changed this since you opened it. Your changes are kept; the rest shows their version.'

/** A form in a dialog. `children` follow the fields. */
export function FormDialog({ form, children, ...dialog }: FormDialogProps) {
  const { isTouched, errors, isRebased, changed } = form
  return (
    <ConfirmDialog {...dialog} isTouched={isTouched} errors={errors}>
      <div role="alert">
        {isRebased && (
          <p class="failure">
            {conflictText}{' '}
            {changed.length > 0 && `Saving again overwrites: ${changed.map(({ label }) => label).join(', ')}.`}
          </p>
        )}
      </div>
      <FormFields form={form} />
      {children}
    </ConfirmDialog>
  )
}
