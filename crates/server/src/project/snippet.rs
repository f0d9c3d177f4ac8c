//! Code with which a page uses a project.

use crate::config::Config;

/// How to get the package of the widget, before the commands of [`PACK`].
pub(crate) const WHERE_FROM: &str =
    "The widget isn't on npm yet. Build its package in the source code of this version:";

/// Commands that build the package of the widget from the source code, one a line.
pub(crate) const PACK: &str = "cargo xtask demo --once\nnpm pack --workspace packages/widget";

/// What to do with the package, before the command [`INSTALL`].
pub(crate) const THEN_INSTALL: &str = "Copy the package to your site's project, and install it there:";

/// Command that installs the package in the project of a page.
pub(crate) const INSTALL: &str =
    concat!("npm install ./portico-widget-", env!("CARGO_PKG_VERSION"), ".tgz react react-dom");

/// Code to paste in a page that uses the project with this id on the server at this URL.
pub(crate) fn snippet(id: &str, server: &str) -> String {
    format!(
        "\
import {{ createAppKit }} from '@portico/widget'
import {{ EthersAdapter }} from '@portico/widget/ethers'
import {{ mainnet }} from '@portico/widget/networks'

createAppKit({{
  projectId: '{id}',
  endpoints: '{server}',
  adapters: [new EthersAdapter()],
  networks: [mainnet]
}})

document.body.append(document.createElement('appkit-button'))
"
    )
}

/// URL at which a page reaches the server, as far as the configuration says.
pub(crate) fn server_url(config: &Config) -> String {
    match &config.public_url {
        Some(url) => url.clone(),
        None if config.listen.ip().is_unspecified() => format!("http://localhost:{}", config.listen.port()),
        None => format!("http://{}", config.listen),
    }
}
