import { useSnapshot } from '../shell/react.tsx'
import { detailWords } from '../text/detail.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Picture } from '../ui/Picture.tsx'
import { detailCss } from './detail.css.ts'
import { Explorer, Gone, Line, Whole } from './parts.tsx'

/** Details of an NFT: its picture, collection, contract and number. */
export function NftDetailsView() {
  useStyle(detailCss)
  const t = useText(detailWords)
  const detail = useSnapshot((snapshot) => snapshot.detail)
  const nft = useSnapshot((snapshot) => snapshot.nfts?.items.find(({ id }) => id === snapshot.detail?.id))
  if (!detail || !nft) return <Gone />
  const name = nft.name || t('tokenSuspicious')
  return (
    <div className="detail">
      <div className="hero art">
        <Picture src={nft.picture} name={name} />
      </div>
      <dl>
        <Line name={t('name')}>{<bdi>{name}</bdi>}</Line>
        <Line name={t('detailCollection')}>{nft.collection && <bdi>{nft.collection}</bdi>}</Line>
        <Line name={t('detailOwned')}>{nft.amount && <bdi dir="ltr">{nft.amount}</bdi>}</Line>
        <Line name={t('network')}>{detail.network && <bdi>{detail.network}</bdi>}</Line>
        <Whole name={t('detailTokenId')} text={detail.tokenId} testid="detail-token-id" />
        <Whole name={t('detailContract')} text={detail.contract} testid="detail-contract" />
      </dl>
      <Explorer url={detail.url} />
    </div>
  )
}
