//! End of a login: the code is exchanged, and the person is read from an ID token or from the service.

use super::id_token::SUBJECT;
use super::profile::{self, Form, Profile};
use super::provider::{Endpoints, Provider, WAIT};
use super::{Binding, Expected, LoginFault, Start, verify};
use crate::source::fetch;
use portico_json::{Value, parse};
use reqwest::header::ACCEPT;
use reqwest::{Client, StatusCode};

/// Largest response of a token endpoint in bytes.
const MOST: usize = 64 * 1024;
/// Path beside a profile of GitHub's with the person's addresses.
const ADDRESSES: &str = "/emails";

/// Person who logged in at a service.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Identity {
    /// Word of the service: "google".
    pub(crate) provider: String,
    /// Id at the service; together with the service it is who the person is.
    pub(crate) subject: String,
    /// Name to show.
    pub(crate) name: Option<String>,
    /// Address that the service verified, to show; it joins no accounts.
    pub(crate) email: Option<String>,
}

impl Provider {
    /// Exchanges the code for the person's identity. `redirect` is the address of the page call.
    pub(crate) async fn identify(
        &self,
        client: &Client,
        redirect: &str,
        code: &str,
        start: &Start,
        now: i64,
    ) -> Result<Identity, LoginFault> {
        let endpoints = self.endpoints(client).await?;
        let tokens = self.exchange(client, endpoints, redirect, code, start, now).await?;
        let profile = match (&endpoints.issuer, &endpoints.keys) {
            (Some(issuer), Some(keys)) => {
                let token = tokens.get("id_token").as_str().ok_or_else(|| self.fault("it gave no ID token"))?;
                let (service, audience) = (self.word.as_str(), self.client_id.as_str());
                let binding = Binding::Nonce(&start.nonce);
                let expected = Expected { service, issuer, audience, subject: SUBJECT, binding, now };
                let claims = verify(client, keys, token, &expected).await?;
                profile::read(Form::Claims, &claims)
            }
            _ => self.profile(client, endpoints, &tokens).await?,
        };
        let Profile { subject, name, email } = profile.ok_or_else(|| self.fault("it has no subject"))?;
        Ok(Identity { provider: self.word.clone(), subject, name, email })
    }

    async fn exchange(
        &self,
        client: &Client,
        endpoints: &Endpoints,
        redirect: &str,
        code: &str,
        start: &Start,
        now: i64,
    ) -> Result<Value, LoginFault> {
        let secret = self.secret_at(endpoints.issuer.as_deref(), now)?;
        let mut form = reqwest::Url::parse("form:").map_err(|_| self.fault("the request can't be written"))?;
        form.query_pairs_mut()
            .append_pair("grant_type", "authorization_code")
            .append_pair("code", code)
            .append_pair("redirect_uri", redirect)
            .append_pair("code_verifier", &start.verifier);
        let mut request = client.post(endpoints.token.clone()).timeout(WAIT);
        // X takes a client's secret in the header alone; the others take it in the form.
        if endpoints.form == Form::X {
            request = request.basic_auth(&self.client_id, Some(secret));
        } else {
            form.query_pairs_mut().append_pair("client_id", &self.client_id).append_pair("client_secret", &secret);
        }
        let response = request
            .header(ACCEPT, "application/json")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form.query().unwrap_or_default().to_owned())
            .send()
            .await
            .map_err(|_| self.fault("it isn't responding"))?;
        let status = response.status();
        let tokens = body(response).await.ok_or_else(|| self.fault("its response isn't JSON"))?;
        // GitHub tells errors with status 200.
        let error = tokens.get("error");
        match status {
            StatusCode::OK if error.is_null() => Ok(tokens),
            status if status.is_server_error() => Err(self.fault("it is out of order")),
            _ if error.as_str() == Some("invalid_client") || error.as_str() == Some("incorrect_client_credentials") => {
                Err(self.fault("it doesn't accept this server's client id and secret"))
            }
            _ => Err(LoginFault::Code(self.word.clone())),
        }
    }

    /// Profile of a service without ID tokens.
    async fn profile(
        &self,
        client: &Client,
        endpoints: &Endpoints,
        tokens: &Value,
    ) -> Result<Option<Profile>, LoginFault> {
        let token = tokens.get("access_token").as_str().ok_or_else(|| self.fault("it gave no access token"))?;
        let address = endpoints.profile.clone().ok_or_else(|| self.fault("it has no profiles"))?;
        let ask = |address: reqwest::Url| fetch(client.get(address).bearer_auth(token).timeout(WAIT));
        let value = ask(address.clone()).await.map_err(|_| self.fault("it gave no profile"))?;
        let Some(mut profile) = profile::read(endpoints.form, &value) else { return Ok(None) };
        if endpoints.form == Form::GitHub {
            let mut list = address;
            list.set_path(&[list.path(), ADDRESSES].concat());
            // The address is only shown, so a person who does not give it can log in.
            profile.email = ask(list).await.ok().as_ref().and_then(profile::main_address);
        }
        Ok(Some(profile))
    }
}

async fn body(mut response: reqwest::Response) -> Option<Value> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.ok()? {
        if bytes.len() + chunk.len() > MOST {
            return None;
        }
        bytes.extend_from_slice(&chunk);
    }
    parse(std::str::from_utf8(&bytes).ok()?).ok()
}
