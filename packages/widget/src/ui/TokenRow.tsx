import type { ReactNode } from 'react'
import type { TokenMark, View } from '../generated/core.ts'
import { useText } from '../text/text.tsx'
import { tokenWords } from '../text/token.ts'
import { useStyle } from '../theme/style.ts'
import { Amount } from './Amount.tsx'
import { Chosen } from './Chosen.tsx'
import { Picture } from './Picture.tsx'
import { Row } from './Row.tsx'
import { Tag } from './Tag.tsx'
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
    /** Reason to distrust its name and symbol. */
    readonly mark: TokenMark | null
    readonly chosen?: boolean
  }
  /** Whether it is the network's own coin. */
  readonly native: boolean
  /** Further labels of the token, below its value. */
  readonly children?: ReactNode
  readonly testid: string
  /** View that the row opens. */
  readonly ahead?: View
  readonly onClick: () => void
}

/** Token with its balance. A suspicious name gives way to these words. */
export function TokenRow({ token, native, children, testid, ahead, onClick }: TokenRowProps) {
  useStyle(tokenCss)
  const t = useText(tokenWords)
  const { name, symbol, iconUrl, shown, value, mark, chosen } = token
  return (
    <Row
      picture={
        <Picture lazy src={mark ? null : iconUrl} name={symbol} of={native && !mark ? { coin: symbol } : undefined} />
      }
      name={mark && mark !== 'lookalike' ? t('tokenSuspicious') : name || symbol}
      note={
        <span className="has">
          {shown === null ? <bdi>{symbol}</bdi> : <Amount value={shown} symbol={symbol} />}
          {mark && mark !== 'suspicious' && <Tag kind="bad">{t('tokenLookalike')}</Tag>}
        </span>
      }
      end={
        <>
          {(value !== null || children) && (
            <span className="sum">
              {value !== null && <Amount value={value} />}
              {children && <small>{children}</small>}
            </span>
          )}
          {chosen && <Chosen />}
        </>
      }
      current={chosen === true}
      testid={testid}
      ahead={ahead}
      onClick={onClick}
    />
  )
}
