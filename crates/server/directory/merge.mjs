// Merges the sources into one record per wallet; the manually maintained sources come first.

/** Fields that identify a wallet: records with an equal value are the same wallet. */
const TELLING = ['rdns', 'app_store', 'play_store', 'chrome_store']

const LINKS = ['mobile_link', 'link_mode', 'desktop_link', 'webapp_link', 'app_store', 'play_store', 'chrome_store']

/** Name for comparison: without case, punctuation and generic words. */
export function plain(name) {
  const words =
    name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/\p{M}/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  const telling = words.filter((word) => !['wallet', 'app', 'the'].includes(word))
  return (telling.length ? telling : words).join('')
}

/** Groups records of the same wallet, in the order of the records. */
function groups(records, curated) {
  const apart = new Set(curated.apart)
  const parent = records.map((_, index) => index)
  const root = (index) => (parent[index] === index ? index : root(parent[index]))
  const first = new Map()
  const join = (key, index) => {
    if (!first.has(key)) return first.set(key, index)
    const [one, other] = [root(first.get(key)), root(index)].sort((a, b) => a - b)
    parent[other] = one
  }
  records.forEach((record, index) => {
    if (apart.has(record.key)) return
    join(`key ${curated.same[record.key] ?? record.key}`, index)
    for (const field of TELLING) if (record[field]) join(`${field} ${record[field]}`, index)
    // Two wallets of the generated list may share a name; the manually maintained lists mean the well-known one.
    if (record.source.package !== 'thirdweb') join(`name ${plain(record.name)}`, index)
  })
  const known = new Map()
  records.forEach((record, index) => {
    const key = `name ${plain(record.name)}`
    if (record.source.package === 'thirdweb' && !apart.has(record.key) && first.has(key)) join(key, index)
  })
  for (const [index, record] of records.entries()) {
    known.set(root(index), [...(known.get(root(index)) ?? []), record])
  }
  return [...known.values()]
}

function first(records, field) {
  return records.find((record) => record[field])?.[field] ?? null
}

function slug(name) {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** Wallet of a group. Its home page comes from the generated list: the manually maintained ones have download pages instead. */
function one(group, curated) {
  const generated = group.filter((record) => record.source.package === 'thirdweb').sort((a, b) => a.rank - b.rank)
  const kept = group.filter((record) => record.source.package !== 'thirdweb')
  const records = [
    ...kept.filter((record) => !record.key.startsWith('injected.')),
    ...generated,
    ...kept.filter((record) => record.key.startsWith('injected.'))
  ]
  const rdns = first(records, 'rdns')
  const found = rdns ?? generated[0]?.key ?? slug(records[0].name)
  const own = curated.wallets[found] ?? {}
  const id = own.id ?? found
  const injected = own.injected ?? records.flatMap((record) => record.injected)
  // Other ids that hosts may use: that of the generated list, and the announced rdns of another source.
  const aliases = new Set([
    ...generated.map((record) => record.key),
    ...records.map((record) => record.rdns).filter(Boolean)
  ])
  aliases.delete(id)
  return {
    id,
    aliases: own.aliases ?? [...aliases].sort(),
    name: own.name ?? records[0].name,
    homepage: own.homepage ?? first(generated, 'homepage') ?? first(kept, 'homepage'),
    ...Object.fromEntries(LINKS.map((field) => [field, field in own ? own[field] : first(records, field)])),
    rdns: own.rdns === undefined ? rdns : own.rdns,
    namespaces: own.namespaces ?? ['eip155'],
    chains: own.chains ?? [],
    injected: injected.filter(
      (entry, index) => injected.findIndex((other) => other.injected_id === entry.injected_id) === index
    ),
    provenance: [
      ...new Set(records.map((record) => `${record.source.package}@${record.source.version} ${record.source.licence}`))
    ],
    images: records.map((record) => record.image).filter(Boolean),
    kept: records[0].source.package === '@rainbow-me/rainbowkit',
    rank: Math.min(...records.map((record) => record.rank)),
    keys: records.map((record) => record.key)
  }
}

/** Whether the wallet can be installed and connected. */
function usable(wallet) {
  const to_install =
    wallet.homepage ?? wallet.app_store ?? wallet.play_store ?? wallet.chrome_store ?? wallet.webapp_link
  const to_connect =
    wallet.rdns ??
    wallet.injected[0] ??
    wallet.mobile_link ??
    wallet.link_mode ??
    wallet.desktop_link ??
    wallet.webapp_link
  return Boolean(to_install && to_connect)
}

/** Wallets in the order of the directory, and the records that were left out. */
export function merge(records, curated) {
  const dropped = new Set(curated.dropped)
  const wallets = groups(
    records.filter((record) => !dropped.has(record.key)),
    curated
  ).map((group) => one(group, curated))
  const place = (wallet) => {
    const known = curated.first.indexOf(wallet.id)
    return known < 0 ? curated.first.length : known
  }
  const usables = wallets.filter(usable)
  usables.sort(
    (a, b) => place(a) - place(b) || Number(b.kept) - Number(a.kept) || a.rank - b.rank || (a.id < b.id ? -1 : 1)
  )
  return { wallets: usables, unusable: wallets.filter((wallet) => !usable(wallet)) }
}
