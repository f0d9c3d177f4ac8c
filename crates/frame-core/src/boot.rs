use portico_json::Json;

/// Start of the frame, as the page reads it from its own address and from the browser.
#[derive(Clone, Debug, Default, Json, PartialEq)]
#[json(name = "FrameBoot")]
pub struct Boot {
    /// Origin of the host page, to which the browser delivers the frame's messages: "https://shop.example.org".
    pub host: String,
    /// Project of the host page.
    pub project: String,
    /// Chain in use at first: a number of eip155, or a CAIP-2 id.
    pub chain: String,
    /// Language of mails, as a BCP 47 tag: "en".
    pub language: String,
    /// Whether the browser tells what covers the frame (Intersection Observer, version 2).
    pub sees_covers: bool,
}
