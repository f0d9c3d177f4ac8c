import type { ReactNode } from 'react'
import { useAmount } from '../text/amount.ts'
import { useStyle } from '../theme/style.ts'
import { Chosen } from './Chosen.tsx'
import { Picture } from './Picture.tsx'
import { Row } from './Row.tsx'
import { tokenCss } from './token.css.ts'

interface TokenRowProps {
  readonly token: {
    readonly name: string
    readonly symbol: string
    readonly iconUrl: string | null
    /** Balance of the token. */
    readonly shown: string | null
    /** Value of the balance. */
    readonly value: string | null
    readonly chosen: boolean
  }
  /** Whether it is the network's own coin. */
  readonly native: boolean
  /** Further labels of the token. */
  readonly children?: ReactNode
  readonly testid: string
  readonly onClick: () => void
}

/** Selectable token with its balance. */
export function TokenRow({ token, native, children, testid, onClick }: TokenRowProps) {
  useStyle(tokenCss)
  const write = useAmount()
  const { name, symbol, iconUrl, shown, value, chosen } = token
  return (
    <Row
      picture={<Picture lazy src={iconUrl} name={symbol} of={native ? { coin: symbol } : undefined} />}
      name={name}
      note={
        <span className="has">
          <bdi dir={shown === null ? undefined : 'ltr'}>{shown === null ? symbol : `${write(shown)} ${symbol}`}</bdi>
          {children}
        </span>
      }
      end={
        <>
          {value !== null && (
            <span className="sum">
              <bdi dir="ltr">${write(value)}</bdi>
            </span>
          )}
          {chosen && <Chosen />}
        </>
      }
      current={chosen}
      testid={testid}
      onClick={onClick}
    />
  )
}
