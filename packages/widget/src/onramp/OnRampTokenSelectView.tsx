import { useMemo } from 'react'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { buyWords } from '../text/buy.ts'
import { useText } from '../text/text.tsx'
import { Chosen } from '../ui/Chosen.tsx'
import { Picture } from '../ui/Picture.tsx'
import { Row } from '../ui/Row.tsx'
import { Choices } from './Choices.tsx'

/** Coins that can be bought on the active network. */
export function OnRampTokenSelectView() {
  const t = useText(buyWords)
  const dispatch = useDispatch()
  const tokens = useSnapshot((snapshot) => snapshot.onramp.tokens)
  const chosen = useSnapshot((snapshot) => snapshot.onramp.token?.id)
  const items = useMemo(() => tokens.map((token) => ({ ...token, words: `${token.symbol} ${token.name}` })), [tokens])
  return (
    <Choices
      items={items}
      search={t('buySearchToken')}
      none={t('buyNoToken')}
      row={({ id, name, symbol, picture }) => (
        <Row
          picture={<Picture src={picture} name={symbol} lazy />}
          name={name}
          note={<bdi>{symbol}</bdi>}
          current={id === chosen}
          end={id === chosen && <Chosen />}
          testid={`onramp-token-${id}`}
          onClick={() => dispatch({ feature: 'onramp', event: { type: 'tokenChosen', id } })}
        />
      )}
    />
  )
}
