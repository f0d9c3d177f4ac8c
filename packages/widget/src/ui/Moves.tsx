import type { ActivityItem, Kind, Move, Namespace } from '../generated/core.ts'
import { useAmount } from '../text/amount.ts'
import type { deedWords } from '../text/deed.ts'
import { MOST, spelled } from '../text/spelled.ts'
import { useText } from '../text/text.tsx'
import { tokenWords } from '../text/token.ts'
import { Amount } from './Amount.tsx'
import { Icon, type IconName } from './Icon.tsx'
import { Picture } from './Picture.tsx'

/** Text and icon of each kind of transaction. */
const kinds: Readonly<Record<Kind, readonly [keyof typeof deedWords, IconName]>> = {
  approve: ['didApprove', 'check'],
  borrow: ['didBorrow', 'arrowDown'],
  burn: ['didBurn', 'close'],
  cancel: ['didCancel', 'close'],
  claim: ['didClaim', 'arrowDown'],
  deploy: ['didDeploy', 'layers'],
  deposit: ['didDeposit', 'send'],
  execute: ['didExecute', 'layers'],
  mint: ['didMint', 'plus'],
  receive: ['didReceive', 'arrowDown'],
  repay: ['didRepay', 'send'],
  send: ['didSend', 'send'],
  stake: ['didStake', 'layers'],
  trade: ['didTrade', 'swap'],
  unstake: ['didUnstake', 'layers'],
  withdraw: ['didWithdraw', 'arrowDown']
}

/** Text and icon of a kind of transaction on a namespace. Solana has programs and no contracts. */
export function kindOn(namespace: Namespace | null, kind: Kind): readonly [keyof typeof deedWords, IconName] {
  const [word, icon] = kinds[kind]
  return [kind === 'execute' && namespace === 'solana' ? 'didRun' : word, icon]
}

/** Whether it is the zero address, which nobody has: tokens come from it when they are made, and go to it when they are burned. */
export function isNowhere(address: string | null): boolean {
  return /^0x0{40}$/.test(address ?? '')
}

/** Text in the place of the zero address. */
export function nowhere({ kind, own }: Pick<ActivityItem, 'kind' | 'own'>): keyof typeof deedWords {
  if (kind === 'deploy') return 'partyNew'
  return own ? 'partyBurn' : 'partyMint'
}

interface SumProps {
  readonly move: Move
  /** Whether to show more of its decimals. */
  readonly whole?: boolean
  /** Whether the token is to be distrusted. */
  readonly doubted: boolean
}

/**
 * Amount that a transaction moved, or the NFT. A suspicious name gives way to these words. The sign stands close to a number, and a thin space
 * before `<`, so that `+ <0.001` is not read as one sign.
 */
export function Sum({ move, whole, doubted }: SumProps) {
  const t = useText(tokenWords)
  const write = useAmount()
  const { sign } = move
  const amount = whole && move.exact !== null ? spelled(move.exact, MOST) : move.amount
  const name = move.name || t('tokenSuspicious')
  const said = sign && (
    <>
      {move.atMost && `${t('upTo')} `}
      <span className="unseen">{t(sign === '-' ? 'minus' : 'plus')} </span>
      <span aria-hidden="true">
        {sign === '-' ? '−' : sign}
        {amount?.startsWith('<') && '\u202f'}
      </span>
    </>
  )
  // What a doubtful token claims to have brought is no gain.
  const className = sign === '+' && !doubted ? 'gain' : undefined
  if (amount !== null) {
    return (
      <Amount value={amount} symbol={name} className={className}>
        {said}
      </Amount>
    )
  }
  return (
    <bdi dir="ltr" className={className}>
      {said}
      {move.count && `${write(move.count)} × `}
      {name}
    </bdi>
  )
}

/** Icon of a transaction: up to two moved tokens with the mark of its kind; the mark alone where no token moved. */
export function Medal({ icon, moves }: { icon: IconName; moves: readonly Move[] }) {
  if (moves.length === 0) {
    return (
      <span className="tile medal">
        <Icon name={icon} />
      </span>
    )
  }
  return (
    <span className={moves.length > 1 ? 'pair' : moves[0]?.amount === null ? 'pair one print' : 'pair one'}>
      {moves.map((move) => (
        <Picture
          lazy
          key={`${move.sign}${move.name}`}
          src={move.picture}
          name={move.name}
          of={isPlainCoin(move) ? { coin: move.name } : undefined}
        />
      ))}
      {moves.length === 1 && (
        <span className="did">
          <Icon name={icon} />
        </span>
      )}
    </span>
  )
}

/** Whether a move is of the network's coin and the server sent no picture of it. */
function isPlainCoin({ picture, nft, contract, mark }: Move): boolean {
  return !picture && !nft && contract === null && mark === null
}
