use super::View;
use portico_json::Value;
use std::fmt;

/// Stack of views; never empty.
#[derive(Default)]
pub struct Stack {
    top: (View, Value),
    below: Vec<(View, Value)>,
}

impl fmt::Debug for Stack {
    /// Prints the view names only: the data may be a URI with the key of a pairing.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.below.iter().chain([&self.top]).map(|(view, _)| view)).finish()
    }
}

impl Stack {
    pub fn top(&self) -> View {
        self.top.0
    }

    /// Data of the view on top.
    pub fn data(&self) -> &Value {
        &self.top.1
    }

    /// Number of views below the top.
    pub fn depth(&self) -> u32 {
        self.below.len() as u32
    }

    /// Whether a view is anywhere in the stack.
    pub fn holds(&self, view: View) -> bool {
        self.top.0 == view || self.below.iter().any(|(below, _)| *below == view)
    }

    /// Puts a view on top; a view already on top stays as it is (spec 2.18).
    pub fn push(&mut self, view: View) {
        if self.top.0 != view {
            self.below.push(std::mem::replace(&mut self.top, (view, Value::Null)));
        }
    }

    /// Replaces the top entry (spec 2.20).
    pub fn replace(&mut self, view: View) {
        if self.top.0 != view {
            self.top = (view, Value::Null);
        }
    }

    /// Replaces the whole stack (spec 2.19).
    pub fn reset(&mut self, view: View, data: Value) {
        self.below.clear();
        self.top = (view, data);
    }

    /// Removes the view on top; the last one stays.
    pub fn pop(&mut self) {
        if let Some(below) = self.below.pop() {
            self.top = below;
        }
    }
}
