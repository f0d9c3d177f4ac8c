//! Code with which a page uses a project.

use crate::config::{Chain, Config};
use portico_terms::ChainId;
use serde_json::json;

/// How to get the package of the widget, before the commands of [`PACK`].
pub(crate) const WHERE_FROM: &str = "The widget isn't on npm yet. Take it from a release package of the server, \
     or build it in the source code of this version:";

/// Commands that build the package of the widget from the source code, one a line.
pub(crate) const PACK: &str = "cargo xtask demo --once\nnpm pack --workspace packages/widget";

/// What to do with the package, before the command [`INSTALL`].
pub(crate) const THEN_INSTALL: &str = "Copy the package to your site's project, and install it there:";

/// Command that installs the package in the project of a page.
pub(crate) const INSTALL: &str =
    concat!("npm install ./portico-widget-", env!("CARGO_PKG_VERSION"), ".tgz react react-dom");

/// Networks that the package exports, with their names there.
const NETWORKS: [(&str, &str); 23] = [
    ("eip155:1", "mainnet"),
    ("eip155:11155111", "sepolia"),
    ("eip155:10", "optimism"),
    ("eip155:42161", "arbitrum"),
    ("eip155:8453", "base"),
    ("eip155:84532", "baseSepolia"),
    ("eip155:137", "polygon"),
    ("eip155:56", "bsc"),
    ("eip155:43114", "avalanche"),
    ("eip155:100", "gnosis"),
    ("eip155:324", "zksync"),
    ("eip155:42220", "celo"),
    ("eip155:59144", "linea"),
    ("eip155:534352", "scroll"),
    ("eip155:7777777", "zora"),
    ("eip155:999", "hyperEvm"),
    ("eip155:31337", "anvil"),
    ("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "solana"),
    ("solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", "solanaDevnet"),
    ("solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z", "solanaTestnet"),
    ("bip122:000000000019d6689c085ae165831e93", "bitcoin"),
    ("bip122:00000000da84f2bafbbc53dee25a72ae", "bitcoinTestnet4"),
    ("bip122:00000008819873e925422c1ff0f99f7c", "bitcoinSignet"),
];

/// Adapter of each namespace that a server serves, and the entry of the package that exports it.
const ADAPTERS: [(&str, &str, &str); 3] = [
    ("eip155:", "EthersAdapter", "ethers"),
    ("solana:", "SolanaAdapter", "solana"),
    ("bip122:", "BitcoinAdapter", "bitcoin"),
];

/// Chain that a server serves.
#[derive(Clone)]
pub(crate) struct Offered {
    /// CAIP-2 id.
    id: String,
    name: Option<String>,
    /// Name, symbol and decimals of its coin.
    coin: (String, String, u8),
}

impl From<&Chain> for Offered {
    fn from(chain: &Chain) -> Offered {
        let coin = &chain.assets.coin;
        let coin = (coin.name.clone(), coin.symbol.clone(), coin.decimals);
        Offered { id: chain.id.to_string(), name: chain.name.clone(), coin }
    }
}

impl Offered {
    /// Name of the network in the package.
    fn exported(&self) -> Option<&'static str> {
        NETWORKS.iter().find(|(id, _)| *id == self.id).map(|(_, name)| *name)
    }

    /// Name of the network in the code and its description, if it is an EVM chain that the package doesn't know.
    fn described(&self, server: &str, project: &str) -> Option<(String, String)> {
        let id = self.id.strip_prefix("eip155:").filter(|_| self.exported().is_none())?;
        let (variable, (coin, symbol, decimals)) = (format!("chain{id}"), &self.coin);
        // JSON quotes texts as JavaScript does.
        let name = json!(self.name.as_deref().unwrap_or(&self.id));
        let (coin, symbol) = (json!(coin), json!(symbol));
        let code = format!(
            "
const {variable} = defineChain({{
  id: {id},
  name: {name},
  nativeCurrency: {{ name: {coin}, symbol: {symbol}, decimals: {decimals} }},
  rpcUrls: {{
    default: {{ http: ['{server}/v1?chainId={chain}&projectId={project}'] }}
  }}
}})
",
            chain = self.id
        );
        Some((variable, code))
    }
}

/// Features of a server that pages can use.
pub(crate) struct On {
    pub(crate) chains: Vec<Offered>,
    /// WebSocket URL of its relay.
    pub(crate) relay: Option<String>,
    /// Origin of its embedded wallet.
    pub(crate) wallet: Option<String>,
}

impl On {
    /// The same for a project that may use only these chains; all if there are none.
    pub(crate) fn for_project(mut self, allowed: &[ChainId]) -> On {
        self.chains.retain(|chain| allowed.is_empty() || allowed.iter().any(|id| id.to_string() == chain.id));
        self
    }

    /// Features that a server of this configuration has at this URL.
    pub(crate) fn of(config: &Config, server: &str) -> On {
        On {
            chains: config.chains.iter().map(Offered::from).collect(),
            relay: config.relay.as_ref().map(|_| relay_url(server)),
            wallet: config.wallet.as_ref().map(|wallet| wallet.origin.clone()),
        }
    }
}

/// URL of the relay of the server at this URL: `http` becomes `ws`, and `https` `wss`.
pub(crate) fn relay_url(server: &str) -> String {
    match server.strip_prefix("http") {
        Some(rest) => format!("ws{rest}/relay"),
        None => format!("{server}/relay"),
    }
}

/// Code to paste in a page that uses the project with this id on the server at this URL.
pub(crate) fn snippet(id: &str, server: &str, on: &On) -> String {
    let own: Vec<_> = on.chains.iter().filter_map(|chain| chain.described(server, id)).collect();
    let mut names: Vec<&str> = on.chains.iter().filter_map(Offered::exported).collect();
    // A page needs one network at least; of those that a server does not serve, this one has public nodes.
    let is_standing_in = names.is_empty() && own.is_empty();
    if is_standing_in {
        names.push("mainnet");
    }
    let mut imports = names.clone();
    if !own.is_empty() {
        imports.insert(0, "defineChain");
    }
    names.extend(own.iter().map(|(variable, _)| variable.as_str()));
    let (imported, networks) = (listed(&imports, "", "{ ", " }"), listed(&names, "  ", "[", "]"));
    let descriptions: String = own.iter().map(|(_, code)| code.as_str()).collect();
    // An adapter without a network of its namespace has no effect.
    let is_named = |chain: &Offered| chain.exported().is_some() || chain.id.starts_with("eip155:");
    let is_served = |namespace: &str| on.chains.iter().any(|chain| chain.id.starts_with(namespace) && is_named(chain));
    let used: Vec<_> = ADAPTERS
        .iter()
        .filter(|(namespace, ..)| is_served(namespace) || (is_standing_in && *namespace == "eip155:"))
        .collect();
    let adapters: Vec<String> = used.iter().map(|(_, adapter, _)| format!("new {adapter}()")).collect();
    let adapters = adapters.join(", ");
    let adapter_imports: String = used
        .iter()
        .map(|(_, adapter, entry)| format!("import {{ {adapter} }} from '@portico/widget/{entry}'\n"))
        .collect();
    let relay = on.relay.as_ref().map(|url| format!(",\n  relays: [{{ relayUrl: '{url}' }}]")).unwrap_or_default();
    let wallet = on.wallet.as_ref().map(|url| format!(",\n  embeddedWallet: {{ url: '{url}' }}")).unwrap_or_default();
    format!(
        "\
import {{ createAppKit }} from '@portico/widget'
{adapter_imports}import {imported} from '@portico/widget/networks'
{descriptions}
createAppKit({{
  projectId: '{id}',
  endpoints: '{server}',
  adapters: [{adapters}],
  networks: {networks}{relay}{wallet}
}})

document.body.append(document.createElement('appkit-button'))
"
    )
}

/// Longest line of names, in letters: the card of the welcome page has room for 100, and terminals are often 80 wide.
const LONGEST_LINE: usize = 76;

/// Names in brackets: in one line of a statement that is indented so far if they are few, else in lines of their own.
fn listed(names: &[&str], indent: &str, open: &str, close: &str) -> String {
    const FEW: usize = 40;
    let one = names.join(", ");
    if one.len() <= FEW {
        return format!("{open}{one}{close}");
    }
    let mut lines = vec![String::new()];
    for (number, name) in names.iter().enumerate() {
        let piece = if number + 1 < names.len() { format!("{name},") } else { (*name).to_owned() };
        let room = LONGEST_LINE - indent.len() - 2;
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(&piece),
            Some(line) if line.len() + 1 + piece.len() <= room => *line = format!("{line} {piece}"),
            _ => lines.push(piece),
        }
    }
    let lines: Vec<String> = lines.iter().map(|line| format!("{indent}  {line}\n")).collect();
    format!("{}\n{}{indent}{}", open.trim_end(), lines.concat(), close.trim_start())
}

/// URL at which a page reaches the server, as far as the configuration says.
pub(crate) fn server_url(config: &Config) -> String {
    match &config.public_url {
        Some(url) => url.clone(),
        None if config.listen.ip().is_unspecified() => format!("http://localhost:{}", config.listen.port()),
        None => format!("http://{}", config.listen),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKAGE: &str = include_str!("../../../../packages/widget/src/networks.ts");

    #[test]
    fn the_code_has_what_the_server_offers() {
        let offered = |id: &str| Offered { id: id.into(), name: None, coin: ("Ether".into(), "ETH".into(), 18) };
        let on = On {
            chains: ["eip155:10", "eip155:1"].map(offered).to_vec(),
            relay: Some(relay_url("https://portico.example.org")),
            wallet: Some("https://wallet.example.org".into()),
        };
        let code = snippet("demo", "https://portico.example.org", &on);
        for piece in [
            "import { optimism, mainnet } from '@portico/widget/networks'",
            "  networks: [optimism, mainnet],\n  relays: [{ relayUrl: 'wss://portico.example.org/relay' }],\n",
            "  embeddedWallet: { url: 'https://wallet.example.org' }\n})",
        ] {
            assert!(code.contains(piece), "{piece} is not in {code}");
        }
        let all = On { chains: NETWORKS.map(|(id, _)| offered(id)).to_vec(), relay: None, wallet: None };
        let code = snippet("demo", "http://x", &all);
        assert!(code.lines().all(|line| line.len() <= 80), "{code}");
        assert!(code.contains("\nimport {\n  mainnet, sepolia, optimism,"), "{code}");
        assert!(code.contains("\n  bitcoinSignet\n} from '@portico/widget/networks'\n"), "{code}");
        assert!(code.contains("\n  networks: [\n    mainnet, sepolia,"), "{code}");
        assert!(code.contains("\n    bitcoinSignet\n  ]\n})"), "{code}");
        assert!(code.contains("adapters: [new EthersAdapter(), new SolanaAdapter(), new BitcoinAdapter()],"), "{code}");
        let own = Offered { name: Some("Bob's \"chain\"".into()), ..offered("eip155:31338") };
        let code = snippet("demo", "http://x", &On { chains: vec![own], relay: None, wallet: None });
        for piece in [
            "import { defineChain } from '@portico/widget/networks'\n\nconst chain31338 = defineChain({\n  id: 31338,\n",
            "  name: \"Bob's \\\"chain\\\"\",\n",
            "  nativeCurrency: { name: \"Ether\", symbol: \"ETH\", decimals: 18 },\n",
            "http: ['http://x/v1?chainId=eip155:31338&projectId=demo'] }\n  }\n})\n\ncreateAppKit({",
            "  networks: [chain31338]\n})",
        ] {
            assert!(code.contains(piece), "{piece} is not in {code}");
        }
        let of = On { chains: ["eip155:10", "eip155:1"].map(offered).to_vec(), relay: None, wallet: None };
        let code = snippet("demo", "http://x", &of.for_project(&["eip155:1".parse().unwrap()]));
        assert!(code.contains("networks: [mainnet]\n})"), "{code}");
        let unknown =
            On { chains: vec![offered("bip122:0f9188f13cb7b2c71f2a335e3a4fc328")], relay: None, wallet: None };
        let code = snippet("demo", "http://x", &unknown);
        assert!(!code.contains("BitcoinAdapter"), "{code}");
        let nothing = snippet("demo", "http://x", &On { chains: Vec::new(), relay: None, wallet: None });
        assert!(nothing.contains("networks: [mainnet]\n})"), "{nothing}");
        assert_eq!(relay_url("http://127.0.0.1:8080"), "ws://127.0.0.1:8080/relay");
    }

    #[test]
    fn the_names_of_networks_are_those_of_the_package() {
        for (id, name) in NETWORKS {
            let rest = PACKAGE.split_once(&format!("export const {name} = ")).unwrap().1;
            let found = rest.split_once("caipNetworkId: '").unwrap().1.split_once('\'').unwrap().0;
            assert_eq!(found, id);
        }
    }

    #[test]
    fn each_public_chain_that_the_adapter_can_use_is_in_the_code() {
        let public = include_str!("../../chains/public.toml");
        let ids = public.lines().filter_map(|line| line.strip_prefix("id = \"")?.strip_suffix('"'));
        let evm: Vec<&str> = ids.filter(|id| id.starts_with("eip155:")).collect();
        assert!(evm.len() > 10, "{evm:?}");
        for id in evm {
            assert!(NETWORKS.iter().any(|(other, _)| *other == id), "{id}");
        }
    }
}
