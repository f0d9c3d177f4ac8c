import { useText } from '../text/text.tsx'
import { inSentence, tokenWords } from '../text/token.ts'
import { CopyButton } from './CopyButton.tsx'
import { FullAddress } from './Party.tsx'

interface AddressFactProps {
  readonly name: string
  readonly short: string | null
  /** The whole address, and whether it was just copied. */
  readonly copying: { readonly text: string; readonly copied: string | null; readonly onCopy: () => void }
  readonly testid: string
}

/** Line about an address: its short form, a button that copies it, and the whole address to compare it in place. */
export function AddressFact({ name, short, copying, testid }: AddressFactProps) {
  const t = useText(tokenWords)
  return (
    <div className="contract">
      <dt>{name}</dt>
      <dd title={copying.text}>
        <span className="copies">
          <bdi dir="ltr">{short}</bdi>
          <CopyButton {...copying} label={t('copyThis', inSentence(name))} testid={testid} />
        </span>
        <FullAddress address={copying.text} />
      </dd>
    </div>
  )
}
