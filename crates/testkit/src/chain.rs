//! Real chain behind the node and the wallets of a World.

use portico_json::Value;
use std::fmt;
use std::rc::Rc;

type Request = dyn Fn(&str, &Value) -> Result<Value, (i64, String)>;

/// Real chain that answers in place of the scripted node and mines what wallets send.
#[derive(Clone)]
pub struct RealChain(Rc<Request>);

impl RealChain {
    /// Wraps a function from method and parameters to the chain's result; `None` is a refusal.
    pub fn new(request: impl Fn(&str, &Value) -> Option<Value> + 'static) -> RealChain {
        RealChain::telling(move |method, params| request(method, params).ok_or((3, "execution reverted".into())))
    }

    /// Wraps a function from method and parameters to the chain's result, or to the code and the words of its refusal.
    pub fn telling(request: impl Fn(&str, &Value) -> Result<Value, (i64, String)> + 'static) -> RealChain {
        RealChain(Rc::new(request))
    }

    /// Sends one request; returns `None` if the chain refuses it.
    pub fn request(&self, method: &str, params: &Value) -> Option<Value> {
        self.answer(method, params).ok()
    }

    /// Sends one request; returns the code and the words of a refusal.
    pub fn answer(&self, method: &str, params: &Value) -> Result<Value, (i64, String)> {
        (self.0)(method, params)
    }
}

impl fmt::Debug for RealChain {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("RealChain")
    }
}
