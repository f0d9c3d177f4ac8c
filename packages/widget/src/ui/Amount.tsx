import type { ReactNode } from 'react'
import { useAmount, useDollars } from '../text/amount.ts'
import { useStyle } from '../theme/style.ts'
import { amountCss } from './amount.css.ts'

interface AmountProps {
  /** Amount as the core formatted it. */
  readonly value: string
  /** Symbol of the token; without one the amount is in US dollars. */
  readonly symbol?: string | undefined
  readonly className?: string | undefined
  /** Sign of the amount. */
  readonly children?: ReactNode
}

/** Amount with its symbol, or dollars: digits grouped as the language does, from left to right, smaller where it is long. */
export function Amount({ value, symbol, className = '', children }: AmountProps) {
  useStyle(amountCss)
  const write = useAmount()
  const dollars = useDollars()
  const text = symbol === undefined ? dollars(value) : `${write(value)} ${symbol}`
  return (
    <bdi dir="ltr" className={`sized ${sizeOf(text)} ${className}`.trim()}>
      {children}
      {text}
    </bdi>
  )
}

/** Amounts with more characters are set smaller, in two steps. */
const LONG = 18
const LONGER = 30

function sizeOf(text: string): string {
  if (text.length > LONGER) return 'tighter'
  return text.length > LONG ? 'tight' : ''
}
