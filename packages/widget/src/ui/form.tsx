import type { ReactNode } from 'react'
import type { View } from '../generated/core.ts'
import { useStyle } from '../theme/style.ts'
import { formCss } from './form.css.ts'
import { Icon } from './Icon.tsx'

/** The look of what stands in this file, and of the fields around it. */
export function useFormStyle(): void {
  useStyle(formCss)
}

interface AmountInputProps {
  readonly id: string
  readonly value: string
  readonly wrong: boolean
  /** The ids of what else is told of it: what is wrong first. */
  readonly describedBy: string
  readonly testid: string
  readonly onTyped: (text: string) => void
}

/** Where an amount is typed: any letter goes to the core, which judges it. */
export function AmountInput({ id, value, wrong, describedBy, testid, onTyped }: AmountInputProps) {
  return (
    <input
      id={id}
      className="big"
      dir="ltr"
      inputMode="decimal"
      autoComplete="off"
      placeholder="0"
      value={value}
      aria-invalid={wrong}
      aria-describedby={describedBy}
      data-focus=""
      data-testid={testid}
      onChange={({ target }) => onTyped(target.value)}
    />
  )
}

interface PickProps {
  /** What it leads to, and what is chosen there; it is read out. */
  readonly label: string
  /** What is chosen, as it is seen; nothing yet where it is empty. */
  readonly name: string
  readonly picture?: ReactNode
  readonly ahead: View
  readonly testid: string
  readonly onClick: () => void
}

/** What was chosen, and the way to the list of all that can be. */
export function Pick({ label, name, picture, ahead, testid, onClick }: PickProps) {
  return (
    <button
      type="button"
      className={name ? 'pill' : 'pill pick'}
      data-ahead={ahead}
      data-testid={testid}
      onClick={onClick}
    >
      {name && picture}
      <span className={name ? 'unseen' : 'clip'}>{label}</span>
      {name && (
        <bdi className="clip" aria-hidden="true">
          {name}
        </bdi>
      )}
      <Icon name="down" />
    </button>
  )
}

interface FactProps {
  readonly name: string
  readonly value: string
  /** What else is to be known of it. */
  readonly hint?: string | undefined
  /** The value with all its digits. */
  readonly exact?: string | undefined
  readonly level?: string | undefined
  readonly strong?: boolean
}

/** One line of what something costs, or where it goes. */
export function Fact({ name, value, hint, exact, level, strong }: FactProps) {
  return (
    <div className={strong ? 'strong' : undefined}>
      <dt>{name}</dt>
      <dd data-level={level}>
        <bdi title={exact}>{value}</bdi>
        {hint && (
          <small>
            <bdi>{hint}</bdi>
          </small>
        )}
      </dd>
    </div>
  )
}

/** What is wrong with a field, beside it. The region is always there, so that what comes into it is read out. */
export function Fault({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p className="fault" id={id} role="status">
      {children && (
        <>
          <Icon name="warning" />
          <span>{children}</span>
        </>
      )}
    </p>
  )
}
