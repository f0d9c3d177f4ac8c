import { networkCss } from '../network/network.css.ts'
import { namespaces } from '../shell/namespaces.ts'
import { useDispatch, useIcon, useSnapshot } from '../shell/react.tsx'
import { multiChainWords } from '../text/multichain.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Picture } from '../ui/Picture.tsx'
import { Row } from '../ui/Row.tsx'

/** Number of the site's networks that a row names. */
const SHOWN = 3

/** Namespaces that the chosen wallet serves. */
export function ConnectingMultiChainView() {
  useStyle(networkCss)
  const t = useText(multiChainWords)
  const dispatch = useDispatch()
  const chosen = useSnapshot((snapshot) => snapshot.connect.multiChain)
  const networks = useSnapshot((snapshot) => snapshot.network.networks)
  const icon = useIcon(chosen?.wallet)
  if (!chosen) return null
  const { name } = chosen.wallet
  const order = Object.keys(namespaces)
  const ordered = [...chosen.chains].sort((a, b) => order.indexOf(a.namespace) - order.indexOf(b.namespace))
  return (
    <>
      <div className="empty chosen">
        <Picture src={icon} name={name} />
        <p>{t('multiChainLead', name)}</p>
      </div>
      <ul className="rows">
        {ordered.map(({ namespace, connector }) => {
          const { name, network } = namespaces[namespace]
          const names = networks.flatMap((one) => (one.chainNamespace === namespace ? [one.name] : []))
          const rest = names.length - SHOWN
          const note = names.slice(0, SHOWN).join(', ') + (rest > 0 ? ` +${rest}` : '')
          return (
            <li key={connector}>
              <Row
                picture={<Picture name={name} of={{ network }} />}
                name={name}
                note={note !== name && note}
                testid={`multi-chain-${namespace}`}
                onClick={() => dispatch({ feature: 'connect', event: { type: 'chainChosen', connector } })}
              />
            </li>
          )
        })}
      </ul>
    </>
  )
}
