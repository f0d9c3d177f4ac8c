use crate::Value;

/// Error for a text that is not JSON.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ParseError {
    /// Offset in bytes at which parsing stopped.
    pub at: usize,
}

/// Maximum nesting. Input from wallets and storage may be hostile: deeper nesting is rejected instead of overflowing the stack.
const MAX_DEPTH: u32 = 64;

/// Parses one JSON text (RFC 8259). Numbers keep their text, so nothing is rounded.
pub fn parse(text: &str) -> Result<Value, ParseError> {
    let mut parser = Parser { text, at: 0 };
    let value = parser.value(0)?;
    parser.space();
    if parser.at == text.len() { Ok(value) } else { parser.fail() }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn fail<T>(&self) -> Result<T, ParseError> {
        Err(ParseError { at: self.at })
    }

    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    fn space(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\n' | b'\r') {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte;
        if found {
            self.at += 1;
        }
        found
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, ParseError> {
        if self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(value)
        } else {
            self.fail()
        }
    }

    fn value(&mut self, depth: u32) -> Result<Value, ParseError> {
        self.space();
        if depth > MAX_DEPTH {
            return self.fail();
        }
        match self.peek() {
            b'n' => self.word("null", Value::Null),
            b't' => self.word("true", Value::Bool(true)),
            b'f' => self.word("false", Value::Bool(false)),
            b'"' => Ok(Value::Text(self.string()?)),
            b'[' => self.list(depth),
            b'{' => self.object(depth),
            _ => self.number(),
        }
    }

    fn list(&mut self, depth: u32) -> Result<Value, ParseError> {
        self.at += 1;
        let mut items = Vec::new();
        self.space();
        if self.eat(b']') {
            return Ok(Value::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.space();
            if self.eat(b']') {
                return Ok(Value::List(items));
            }
            if !self.eat(b',') {
                return self.fail();
            }
        }
    }

    fn object(&mut self, depth: u32) -> Result<Value, ParseError> {
        self.at += 1;
        let mut fields = Vec::new();
        self.space();
        if self.eat(b'}') {
            return Ok(Value::Object(fields));
        }
        loop {
            self.space();
            let name = self.string()?;
            self.space();
            if !self.eat(b':') {
                return self.fail();
            }
            fields.push((name, self.value(depth + 1)?));
            self.space();
            if self.eat(b'}') {
                return Ok(Value::Object(fields));
            }
            if !self.eat(b',') {
                return self.fail();
            }
        }
    }

    fn digits(&mut self) -> Result<(), ParseError> {
        let start = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        if self.at == start { self.fail() } else { Ok(()) }
    }

    fn number(&mut self) -> Result<Value, ParseError> {
        let start = self.at;
        self.eat(b'-');
        if !self.eat(b'0') {
            self.digits()?;
        }
        if self.eat(b'.') {
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _ = self.eat(b'+') || self.eat(b'-');
            self.digits()?;
        }
        Ok(Value::Number(self.text[start..self.at].into()))
    }

    fn string(&mut self) -> Result<String, ParseError> {
        if !self.eat(b'"') {
            return self.fail();
        }
        let mut out = String::new();
        loop {
            let start = self.at;
            while !matches!(self.peek(), b'"' | b'\\' | 0..=0x1f) {
                self.at += 1;
            }
            out.push_str(&self.text[start..self.at]);
            if self.eat(b'"') {
                return Ok(out);
            }
            if !self.eat(b'\\') {
                return self.fail();
            }
            out.push(self.escape()?);
        }
    }

    fn escape(&mut self) -> Result<char, ParseError> {
        let byte = self.peek();
        self.at += 1;
        Ok(match byte {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => {
                self.at -= 1;
                return self.fail();
            }
        })
    }

    /// Reads the digits of a `\u` escape. A lone surrogate, which `JSON.stringify` can write, becomes U+FFFD as in `TextEncoder`.
    fn unicode(&mut self) -> Result<char, ParseError> {
        let high = self.hex4()?;
        if (0xd800..0xdc00).contains(&high) && self.text.as_bytes()[self.at..].starts_with(b"\\u") {
            let back = self.at;
            self.at += 2;
            let low = self.hex4()?;
            if (0xdc00..0xe000).contains(&low) {
                let point = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                return Ok(char::from_u32(point).unwrap_or('\u{fffd}'));
            }
            self.at = back;
        }
        Ok(char::from_u32(high).unwrap_or('\u{fffd}'))
    }

    fn hex4(&mut self) -> Result<u32, ParseError> {
        let mut point = 0;
        for _ in 0..4 {
            match (self.peek() as char).to_digit(16) {
                Some(digit) => point = point * 16 + digit,
                None => return self.fail(),
            }
            self.at += 1;
        }
        Ok(point)
    }
}
