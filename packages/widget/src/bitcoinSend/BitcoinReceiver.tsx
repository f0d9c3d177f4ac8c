import type { BitcoinReceiverFault, BitcoinView } from '../generated/core.ts'
import { activeAccount } from '../shell/active.ts'
import { readCopied } from '../shell/paste.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { bitcoinWords } from '../text/bitcoin.ts'
import { useText } from '../text/text.tsx'
import { ReceiverField } from '../ui/ReceiverField.tsx'

/** What is missing is said by the button, and by a message once it was pressed. */
const faults: Readonly<Record<Exclude<BitcoinReceiverFault, 'missing'>, keyof typeof bitcoinWords>> = {
  notAnAddress: 'bitcoinNotAnAddress',
  otherNamespace: 'receiverOtherNamespace',
  otherNetwork: 'bitcoinOtherNetwork',
  unknownVersion: 'bitcoinUnknownVersion',
  ownAddress: 'receiverOwnAddress'
}

/** Receiver: an address, or a payment link with one. */
export function BitcoinReceiver({ bitcoin }: { bitcoin: BitcoinView }) {
  const t = useText(bitcoinWords)
  const dispatch = useDispatch()
  const { receiver, receiverFault: fault, recent } = bitcoin
  const typed = (text: string) => dispatch({ feature: 'bitcoin', event: { type: 'receiverTyped', text } })
  return (
    <ReceiverField
      receiver={receiver}
      hint={t('bitcoinReceiverHint')}
      fault={fault && (fault === 'missing' ? '' : t(faults[fault]))}
      recent={recent}
      account={useSnapshot(activeAccount)}
      onTyped={typed}
      onPaste={() => readCopied(typed)}
    />
  )
}
