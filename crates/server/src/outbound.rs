//! HTTP client for the services that the operator configures.

mod connect_fault;

use std::time::Duration;

pub(crate) use connect_fault::ConnectFault;

/// Error when the HTTP client for upstreams cannot be created.
#[derive(Debug, thiserror::Error)]
#[error("Couldn't read this machine's trusted certificates ({0}). Install the package `ca-certificates`.")]
pub struct NoTrust(String);

/// Short, so that after a node that does not accept the connection there is time for the next one.
const CONNECT_LIMIT: Duration = Duration::from_secs(2);

/// HTTP client for upstreams; it reads the system's trusted certificates only if `tls` is set.
pub(crate) fn http_client(tls: bool) -> Result<reqwest::Client, NoTrust> {
    let provider = rustls::crypto::ring::default_provider();
    // Fails only if a provider is already installed, which works as well.
    let _ = provider.install_default();
    let builder = reqwest::Client::builder()
        .user_agent(concat!("portico/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_LIMIT)
        // The configuration names the upstream; an upstream must not redirect to another host.
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy();
    let builder = if tls { builder } else { builder.tls_certs_only([]) };
    builder.build().map_err(|error| NoTrust(innermost(&error)))
}

/// Innermost cause of an error; the wrapping errors only say that something failed.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
