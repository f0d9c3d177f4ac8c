import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import type { View } from '../generated/core.ts'
import { useAmount } from '../text/amount.ts'
import { useStyle } from '../theme/style.ts'
import { formCss } from './form.css.ts'
import { Icon } from './Icon.tsx'

/** Adds the styles of the components in this file and of the fields around them. */
export function useFormStyle(): void {
  useStyle(formCss)
}

/** Room for a large amount: a long one is set smaller, so that all its digits show. */
export function Fitted({ text, children }: { text: string | null; children: ReactNode }) {
  return (
    <span className="fit" style={{ '--n': text?.length || 1 } as CSSProperties}>
      {children}
    </span>
  )
}

interface AmountInputProps {
  readonly id: string
  readonly value: string
  readonly wrong: boolean
  /** Ids of the describing elements, the error first. */
  readonly describedBy: string
  readonly testid: string
  /** Sign of the currency, drawn right before the digits in every language. The label says it. */
  readonly sign?: string | undefined
  /** Whole value with its unit, where the shown one may be cut. */
  readonly exact?: string | undefined
  /** The value is being looked for. */
  readonly waiting?: boolean
  readonly onTyped: (text: string) => void
  /** The visitor left the field. */
  readonly onLeft?: () => void
}

/**
 * Input of an amount: every keystroke goes to the core, which validates it. Long amounts are set smaller, so that all their digits show, and
 * while nobody types they are grouped, as everywhere else.
 */
export function AmountInput({
  id,
  value,
  wrong,
  describedBy,
  testid,
  sign = '',
  exact,
  waiting,
  onTyped,
  onLeft
}: AmountInputProps) {
  const write = useAmount()
  const [typing, setTyping] = useState(false)
  const shown = typing ? value : write(value)
  const input = useRef<HTMLInputElement>(null)
  const grouped = useRef(false)
  // The separators go when the field gets the focus, and the selection with them: all is selected again, and what is typed takes its place.
  // A click sets the caret after this.
  useLayoutEffect(() => {
    if (typing && grouped.current) input.current?.select()
  }, [typing])
  return (
    <Fitted text={sign + shown}>
      {sign && (
        // The unseen digits keep the sign beside those of the field, on whichever side they are aligned.
        <span className="big sign" aria-hidden="true" dir="ltr">
          {sign}
          <span>{shown || '0'}</span>
        </span>
      )}
      {waiting && <i className="word bone" />}
      <input
        ref={input}
        id={id}
        className="big"
        dir="ltr"
        inputMode="decimal"
        autoComplete="off"
        placeholder={waiting ? '' : '0'}
        title={exact}
        value={shown}
        aria-invalid={wrong}
        aria-describedby={describedBy}
        data-focus=""
        data-testid={testid}
        onFocus={() => {
          grouped.current = shown !== value
          setTyping(true)
        }}
        onBlur={() => {
          setTyping(false)
          onLeft?.()
        }}
        onChange={({ target }) => onTyped(target.value)}
      />
    </Fitted>
  )
}

/** Whether there is any of an amount. */
export const isSome = (amount: string | null | undefined): boolean => /[1-9]/.test(amount ?? '')

interface PickProps {
  /** Accessible name: the button's purpose and the current choice. */
  readonly label: string
  /** Visible name of the current choice; empty while there is none. */
  readonly name: string
  readonly picture?: ReactNode
  readonly ahead: View
  readonly testid: string
  readonly onClick: () => void
}

/** Button with the current choice that opens the list of all choices. */
export function Pick({ label, name, picture, ahead, testid, onClick }: PickProps) {
  return (
    <button
      type="button"
      className={name ? 'pill' : 'pill pick'}
      title={name ? undefined : label}
      data-ahead={ahead}
      data-testid={testid}
      onClick={onClick}
    >
      {name && picture}
      <span className={name ? 'unseen' : 'clip'}>{label}</span>
      {name && (
        // An address that is shortened in the place of a symbol is whole.
        <bdi className={name.includes('…') ? 'clip long' : 'clip'} aria-hidden="true">
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
  /** Further explanation of the line. */
  readonly hint?: string | undefined
  /** Value with all its digits. */
  readonly exact?: string | undefined
  readonly level?: string | undefined
  readonly strong?: boolean
}

/** One line about a cost or a destination. */
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

interface FaultProps {
  readonly id: string
  /** A button says the same: only screen readers need the sentence, because they do not announce a button's new label. */
  readonly unseen?: boolean
  /** Its number changes by the second, which screen readers do not announce anew. */
  readonly counted?: boolean | undefined
  readonly children: ReactNode
}

/** Validation error beside a field. The live region always exists, so that screen readers announce a new error. */
export function Fault({ id, unseen, counted, children }: FaultProps) {
  return (
    <p className={unseen ? 'unseen' : 'fault'} id={id} role="status" aria-relevant={counted ? 'additions' : undefined}>
      {children && (
        <>
          <Icon name="warning" />
          <span>{children}</span>
        </>
      )}
    </p>
  )
}
