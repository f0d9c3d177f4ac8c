import { useCopying } from '../shell/copying.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { bitcoinWords } from '../text/bitcoin.ts'
import { useText } from '../text/text.tsx'
import { Receipt } from '../ui/Receipt.tsx'
import { SentFacts } from '../ui/SentFacts.tsx'

/** Receipt of the sent payment. */
export function BitcoinSendConfirmedView() {
  const t = useText(bitcoinWords)
  const dispatch = useDispatch()
  const sent = useSnapshot((snapshot) => snapshot.bitcoin?.sent)
  const { copied, onCopy } = useCopying(sent?.receipt.hash ?? '')
  const receiver = useCopying(sent?.receiver ?? '')
  if (!sent) return null
  return (
    <Receipt
      receipt={sent.receipt}
      pendingHint={t('bitcoinPendingHint')}
      testid="send"
      copied={copied}
      onCopy={onCopy}
      onDone={() => dispatch({ feature: 'modal', event: { type: 'backAsked' } })}
    >
      <SentFacts sent={sent} copied={receiver.copied} onCopy={receiver.onCopy} />
    </Receipt>
  )
}
