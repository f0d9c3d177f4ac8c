//! The chains of a configuration.

use super::file::Read;
use super::{Chain, Method, Mistake, Place};
use portico_terms::ChainId;
use reqwest::Url;
use serde::Deserialize;
use std::collections::HashMap;
use toml::Spanned;

/// A chain as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenChain {
    id: Spanned<String>,
    upstreams: Spanned<Vec<Spanned<String>>>,
    #[serde(default)]
    methods: Vec<Spanned<String>>,
}

impl Read<'_> {
    pub(super) fn chains(&mut self) -> Vec<Chain> {
        let mut lines: HashMap<ChainId, Place> = HashMap::new();
        let mut chains = Vec::new();
        for written in std::mem::take(&mut self.chains) {
            let place = self.line(written.id.span());
            let text = written.id.into_inner();
            let id = text.parse::<ChainId>().map_err(|_| {
                format!("`{text}` is not the CAIP-2 id of a chain, such as eip155:1 (namespace, colon, reference)")
            });
            let id = self.keep(place.clone(), id);
            let upstreams = self.upstreams(&text, written.upstreams);
            let methods = self.methods(written.methods);
            let Some(id) = id else { continue };
            if let Some(first) = lines.get(&id) {
                let sentence = format!("the chain {id} is there twice, first at {first}");
                self.mistakes.push(Mistake::new(place, sentence));
                continue;
            }
            lines.insert(id.clone(), place);
            chains.push(Chain { id, upstreams, methods });
        }
        chains
    }

    fn upstreams(&mut self, chain: &str, written: Spanned<Vec<Spanned<String>>>) -> Vec<Url> {
        if written.get_ref().is_empty() {
            let sentence = format!("the chain {chain} needs at least one upstream");
            self.mistakes.push(Mistake::new(self.line(written.span()), sentence));
        }
        let mut upstreams = Vec::new();
        for text in written.into_inner() {
            let place = self.line(text.span());
            let text = text.into_inner();
            let parsed = match Url::parse(&text) {
                Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(url),
                _ => Err(format!("the upstream `{text}` is not an http or https URL")),
            };
            upstreams.extend(self.keep(place, parsed));
        }
        upstreams
    }

    fn methods(&mut self, written: Vec<Spanned<String>>) -> Vec<Method> {
        let mut methods = Vec::new();
        for text in written {
            let place = self.line(text.span());
            let parsed = Method::parse(text.get_ref());
            methods.extend(self.keep(place, parsed));
        }
        methods
    }
}
