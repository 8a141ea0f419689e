//! Values of `#if` expressions: 64-bit integers, signed or unsigned (C99 6.10.1, 6.6).

use super::Preprocessor;
use clforge_basic::narrow::low_u8;
use clforge_basic::source::{Interner, Punct, Token, TokenKind};

/// An `intmax_t` or `uintmax_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value {
    bits: u64,
    unsigned: bool,
}

impl Value {
    fn bool(value: bool) -> Value {
        Value { bits: u64::from(value), unsigned: false }
    }

    fn truth(self) -> bool {
        self.bits != 0
    }
}

/// An error: where (`None`: at the directive) and what.
type Failure = (Option<Token>, String);

impl Preprocessor<'_> {
    /// Evaluates the rest of the line as the condition of an `#if` or `#elif`.
    pub(super) fn expression_holds(&mut self, directive: Token) -> bool {
        let Some(tokens) = self.condition_tokens() else { return false };
        let mut parser = Parser { tokens: &tokens, position: 0, open: Vec::new(), live: true, interner: self.interner };
        let result = parser.whole();
        let holds = match result {
            Ok(value) => value.truth(),
            Err((at, message)) => {
                self.error(at.unwrap_or(directive), message);
                false
            }
        };
        self.give_back(tokens);
        holds
    }
}

/// Reads an expression from left to right. What is not complete is on a stack of its own, so that expressions may nest as
/// deep as they like.
struct Parser<'t> {
    tokens: &'t [Token],
    position: usize,
    open: Vec<Open>,
    /// Whether the operand that is read matters: where it does not, nothing is wrong with a division by zero.
    live: bool,
    interner: &'t Interner,
}

/// An operator or a parenthesis that waits for what is right of it; `live` is that of all of its expression.
enum Open {
    Prefix(Punct),
    Infix {
        punct: Punct,
        level: u8,
        token: Token,
        left: Value,
        live: bool,
    },
    /// `condition ?`
    Then {
        condition: Value,
        question: Token,
        live: bool,
    },
    /// `condition ? yes :`
    Otherwise {
        condition: Value,
        yes: Value,
        live: bool,
    },
    Parenthesis {
        token: Token,
        live: bool,
    },
}

fn missing_colon(question: Token) -> Failure {
    (Some(question), "expected ':' in conditional expression".into())
}

/// Precedence of a binary operator; higher binds tighter.
fn precedence(punct: Punct) -> Option<u8> {
    Some(match punct {
        Punct::PipePipe => 1,
        Punct::AmpAmp => 2,
        Punct::Pipe => 3,
        Punct::Caret => 4,
        Punct::Amp => 5,
        Punct::EqEq | Punct::Ne => 6,
        Punct::Lt | Punct::Gt | Punct::Le | Punct::Ge => 7,
        Punct::Shl | Punct::Shr => 8,
        Punct::Plus | Punct::Minus => 9,
        Punct::Star | Punct::Slash | Punct::Percent => 10,
        _ => return None,
    })
}

impl<'t> Parser<'t> {
    fn text(&self, token: &Token) -> &'t str {
        self.interner.text(token.text)
    }

    fn whole(&mut self) -> Result<Value, Failure> {
        loop {
            let Some(mut value) = self.operand()? else { continue };
            loop {
                value = self.apply_prefixes(value);
                let Some(token) = self.tokens.get(self.position).copied() else { return self.end(value) };
                self.position += 1;
                match token.kind {
                    TokenKind::Punct(Punct::RParen) => value = self.close(value, token)?,
                    TokenKind::Punct(punct) => {
                        self.operator(punct, value, token)?;
                        break;
                    }
                    _ => return Err(self.unexpected(value, token)),
                }
            }
        }
    }

    /// Reads an operand, or what stands before one.
    fn operand(&mut self) -> Result<Option<Value>, Failure> {
        let Some(token) = self.tokens.get(self.position).copied() else {
            return Err((self.tokens.last().copied(), "expected value in expression".into()));
        };
        self.position += 1;
        match token.kind {
            TokenKind::Number => self.number(&token).map(Some),
            TokenKind::Char => self.character(&token).map(Some),
            // Identifiers that are still there after expansion, keywords included, are 0.
            TokenKind::Identifier => Ok(Some(Value { bits: 0, unsigned: false })),
            TokenKind::Punct(punct @ (Punct::Plus | Punct::Minus | Punct::Tilde | Punct::Bang)) => {
                self.open.push(Open::Prefix(punct));
                Ok(None)
            }
            TokenKind::Punct(Punct::LParen) => {
                self.open.push(Open::Parenthesis { token, live: self.live });
                Ok(None)
            }
            _ => Err((Some(token), "invalid token at start of a preprocessor expression".into())),
        }
    }

    fn apply_prefixes(&mut self, mut value: Value) -> Value {
        while let Some(Open::Prefix(punct)) = self.open.last() {
            value = match punct {
                Punct::Minus => Value { bits: value.bits.wrapping_neg(), ..value },
                Punct::Tilde => Value { bits: !value.bits, ..value },
                Punct::Bang => Value::bool(!value.truth()),
                _ => value,
            };
            self.open.pop();
        }
        value
    }

    /// Completes the binary operators before that bind at least as tight as `lowest`.
    fn apply_infix(&mut self, mut value: Value, lowest: u8) -> Result<Value, Failure> {
        while let Some(&Open::Infix { punct, level, token, left, live }) = self.open.last()
            && level >= lowest
        {
            value = apply(punct, left, value, live).map_err(|message| (Some(token), message.to_owned()))?;
            self.live = live;
            self.open.pop();
        }
        Ok(value)
    }

    /// Completes all that can end before a `:`, a `,`, a `)` or the end: up to a `?` without `:`, or a parenthesis.
    fn complete(&mut self, value: Value) -> Result<Value, Failure> {
        let mut value = self.apply_infix(value, 0)?;
        while let Some(&Open::Otherwise { condition, yes, live }) = self.open.last() {
            let chosen = if condition.truth() { yes } else { value };
            value = Value { bits: chosen.bits, unsigned: yes.unsigned || value.unsigned };
            self.live = live;
            self.open.pop();
            value = self.apply_infix(value, 0)?;
        }
        Ok(value)
    }

    /// What comes after an operand and before another one.
    fn operator(&mut self, punct: Punct, value: Value, token: Token) -> Result<(), Failure> {
        if let Some(level) = precedence(punct) {
            let left = self.apply_infix(value, level)?;
            let live = self.live;
            self.live = match punct {
                Punct::AmpAmp => live && left.truth(),
                Punct::PipePipe => live && !left.truth(),
                _ => live,
            };
            self.open.push(Open::Infix { punct, level, token, left, live });
            return Ok(());
        }
        if punct == Punct::Question {
            let condition = self.apply_infix(value, 0)?;
            self.open.push(Open::Then { condition, question: token, live: self.live });
            self.live &= condition.truth();
            return Ok(());
        }
        let value = self.complete(value)?;
        match (punct, self.open.last()) {
            (Punct::Colon, Some(&Open::Then { condition, live, .. })) => {
                self.open.pop();
                self.open.push(Open::Otherwise { condition, yes: value, live });
                self.live = live && !condition.truth();
                Ok(())
            }
            // GNU C allows the comma operator.
            (Punct::Comma, Some(&Open::Parenthesis { live, .. })) => {
                self.live = live;
                Ok(())
            }
            _ => Err(self.unexpected(value, token)),
        }
    }

    /// A `)`.
    fn close(&mut self, value: Value, token: Token) -> Result<Value, Failure> {
        let value = self.complete(value)?;
        match self.open.last() {
            Some(&Open::Parenthesis { live, .. }) => {
                self.live = live;
                self.open.pop();
                Ok(value)
            }
            _ => Err(self.unexpected(value, token)),
        }
    }

    fn end(&mut self, value: Value) -> Result<Value, Failure> {
        let value = self.complete(value)?;
        match self.open.last() {
            None => Ok(value),
            Some(Open::Then { question, .. }) => Err(missing_colon(*question)),
            Some(Open::Parenthesis { token, .. }) => {
                Err((Some(*token), "expected ')' in preprocessor expression".into()))
            }
            Some(_) => Err((self.tokens.last().copied(), "expected value in expression".into())),
        }
    }

    /// What is wrong with the token after a complete operand.
    fn unexpected(&mut self, value: Value, token: Token) -> Failure {
        if let Err(failure) = self.complete(value) {
            return failure;
        }
        self.position -= 1;
        let message = match (self.open.last(), token.kind) {
            (Some(Open::Then { question, .. }), _) => return missing_colon(*question),
            (_, TokenKind::Punct(Punct::LParen)) => self.after_name(),
            (Some(_), _) => "expected ')' in preprocessor expression".into(),
            (None, TokenKind::Punct(Punct::Comma)) => "comma operator in operand of #if".into(),
            (None, TokenKind::Punct(Punct::RParen)) => "missing '(' in preprocessor expression".into(),
            (None, TokenKind::Punct(Punct::Colon)) => "':' without preceding '?' in preprocessor expression".into(),
            (None, _) => "token is not a valid binary operator in a preprocessor subexpression".into(),
        };
        (Some(token), message)
    }

    /// What is wrong with a `(` after a complete operand.
    fn after_name(&self) -> String {
        match self.position.checked_sub(1).and_then(|at| self.tokens.get(at)) {
            Some(name) if name.kind == TokenKind::Identifier => {
                format!("function-like macro '{}' is not defined", self.text(name))
            }
            _ => "token is not a valid binary operator in a preprocessor subexpression".into(),
        }
    }

    fn number(&self, token: &Token) -> Result<Value, Failure> {
        let text = self.text(token);
        let fail = |message: &str| Err((Some(*token), message.to_string()));
        let lower = text.to_ascii_lowercase();
        let (digits, radix) = match lower.as_bytes() {
            [b'0', b'x', ..] => (&lower[2..], 16),
            [b'0', b'b', ..] => (&lower[2..], 2),
            [b'0', _, ..] => (&lower[1..], 8),
            _ => (&lower[..], 10),
        };
        let len = digits.bytes().take_while(|b| (*b as char).is_digit(radix)).count();
        let (digits, suffix) = digits.split_at(len);
        let unsigned = match suffix {
            "" | "l" | "ll" => false,
            "u" | "ul" | "ull" | "lu" | "llu" => true,
            _ if suffix.contains('.')
                || (radix == 10 && suffix.starts_with(['e', 'f', 'h']))
                || suffix.contains('p') =>
            {
                return fail("floating point literal in preprocessor expression");
            }
            _ if radix == 8 && suffix.starts_with(['8', '9']) => {
                return fail("invalid digit in octal constant");
            }
            _ => return Err((Some(*token), format!("invalid suffix '{suffix}' on integer constant"))),
        };
        if digits.is_empty() && radix != 8 {
            return fail("invalid integer constant in preprocessor expression");
        }
        let mut bits = 0u64;
        for digit in digits.bytes() {
            let digit = (digit as char).to_digit(radix).unwrap_or(0);
            match bits.checked_mul(u64::from(radix)).and_then(|bits| bits.checked_add(u64::from(digit))) {
                Some(next) => bits = next,
                None => return fail("integer literal is too large to be represented in any integer type"),
            }
        }
        Ok(Value { bits, unsigned: unsigned || bits > i64::MAX as u64 })
    }

    fn character(&self, token: &Token) -> Result<Value, Failure> {
        let text = self.text(token);
        let inner = text.as_bytes().get(1..text.len().saturating_sub(1)).unwrap_or(&[]);
        let (mut value, mut count, mut pos) = (0u32, 0usize, 0usize);
        while pos < inner.len() {
            let (unit, len) = character_unit(&inner[pos..]).map_err(|message| (Some(*token), message.to_string()))?;
            value = value << 8 | u32::from(unit);
            count += 1;
            pos += len;
        }
        let value = match count {
            0 => return Err((Some(*token), "empty character constant".into())),
            1 => i64::from(low_u8(value.into()).cast_signed()),
            _ => i64::from(value.cast_signed()),
        };
        Ok(Value { bits: value.cast_unsigned(), unsigned: false })
    }
}

/// The value of the character at the start of `bytes` and how many bytes spell it.
fn character_unit(bytes: &[u8]) -> Result<(u8, usize), &'static str> {
    match bytes {
        [b'\\', b'x', rest @ ..] => {
            let len = rest.iter().take_while(|b| b.is_ascii_hexdigit()).count();
            if len == 0 {
                return Err("\\x used with no following hex digits");
            }
            let mut value = 0u32;
            for digit in &rest[..len] {
                value = value.saturating_mul(16).saturating_add((*digit as char).to_digit(16).unwrap_or(0));
            }
            u8::try_from(value).map(|value| (value, len + 2)).map_err(|_| "hex escape sequence out of range")
        }
        [b'\\', b'0'..=b'7', ..] => {
            let digits = bytes[1..].iter().take(3).take_while(|b| matches!(b, b'0'..=b'7'));
            let (value, len) = digits.fold((0u32, 1), |(value, len), b| (value * 8 + u32::from(b - b'0'), len + 1));
            u8::try_from(value).map(|value| (value, len)).map_err(|_| "octal escape sequence out of range")
        }
        [b'\\', escape, ..] => Ok((
            match escape {
                b'a' => 7,
                b'b' => 8,
                b'f' => 12,
                b'n' => 10,
                b'r' => 13,
                b't' => 9,
                b'v' => 11,
                b'e' => 27,
                other => *other,
            },
            2,
        )),
        [byte, ..] => Ok((*byte, 1)),
        [] => Ok((0, 1)),
    }
}

fn apply(punct: Punct, left: Value, right: Value, live: bool) -> Result<Value, &'static str> {
    let unsigned = left.unsigned || right.unsigned;
    let (l, r) = (left.bits, right.bits);
    let (sl, sr) = (l.cast_signed(), r.cast_signed());
    let of = |bits: u64| Ok(Value { bits, unsigned });
    let compare = |ordering: fn(std::cmp::Ordering) -> bool| {
        Ok(Value::bool(ordering(if unsigned { l.cmp(&r) } else { sl.cmp(&sr) })))
    };
    match punct {
        Punct::PipePipe => Ok(Value::bool(left.truth() || right.truth())),
        Punct::AmpAmp => Ok(Value::bool(left.truth() && right.truth())),
        Punct::Pipe => of(l | r),
        Punct::Caret => of(l ^ r),
        Punct::Amp => of(l & r),
        Punct::EqEq => Ok(Value::bool(l == r)),
        Punct::Ne => Ok(Value::bool(l != r)),
        Punct::Lt => compare(std::cmp::Ordering::is_lt),
        Punct::Gt => compare(std::cmp::Ordering::is_gt),
        Punct::Le => compare(std::cmp::Ordering::is_le),
        Punct::Ge => compare(std::cmp::Ordering::is_ge),
        Punct::Shl | Punct::Shr => Ok(shift(punct, left, right)),
        Punct::Plus => of(l.wrapping_add(r)),
        Punct::Minus => of(l.wrapping_sub(r)),
        Punct::Star => of(l.wrapping_mul(r)),
        Punct::Slash | Punct::Percent if r == 0 => match (live, punct) {
            (false, _) => of(0),
            (_, Punct::Slash) => Err("division by zero in preprocessor expression"),
            _ => Err("remainder by zero in preprocessor expression"),
        },
        Punct::Slash => of(if unsigned { l.wrapping_div(r) } else { sl.wrapping_div(sr).cast_unsigned() }),
        Punct::Percent => of(if unsigned { l.wrapping_rem(r) } else { sl.wrapping_rem(sr).cast_unsigned() }),
        _ => Err("token is not a valid binary operator in a preprocessor subexpression"),
    }
}

/// Shifts have the type of the left operand; a negative count shifts the other way, too large a one shifts all out.
fn shift(punct: Punct, left: Value, right: Value) -> Value {
    let mut leftward = punct == Punct::Shl;
    let mut count = right.bits;
    if !right.unsigned && count.cast_signed() < 0 {
        leftward = !leftward;
        count = count.wrapping_neg();
    }
    let bits = match (leftward, left.unsigned) {
        (true, _) => {
            if count > 63 {
                0
            } else {
                left.bits << count
            }
        }
        (false, true) => {
            if count > 63 {
                0
            } else {
                left.bits >> count
            }
        }
        (false, false) => (left.bits.cast_signed() >> count.min(63)).cast_unsigned(),
    };
    Value { bits, unsigned: left.unsigned }
}
