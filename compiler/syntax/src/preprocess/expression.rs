//! Values of `#if` expressions: 64-bit integers, signed or unsigned (C99 6.10.1, 6.6).

use super::Preprocessor;
use clforge_basic::source::{Interner, Punct, Token, TokenKind};

/// Depth of parentheses, unary operators and conditionals.
const MAX_DEPTH: u32 = 200;

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
        let mut parser = Parser { tokens: &tokens, position: 0, depth: 0, interner: self.interner };
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

struct Parser<'t> {
    tokens: &'t [Token],
    position: usize,
    depth: u32,
    interner: &'t Interner,
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
        let value = self.conditional(true)?;
        match self.tokens.get(self.position) {
            None => Ok(value),
            Some(token) => Err((
                Some(*token),
                match token.kind {
                    TokenKind::Punct(Punct::Comma) => "comma operator in operand of #if".into(),
                    TokenKind::Punct(Punct::RParen) => "missing '(' in preprocessor expression".into(),
                    TokenKind::Punct(Punct::Colon) => "':' without preceding '?' in preprocessor expression".into(),
                    TokenKind::Punct(Punct::LParen) => self.after_name(),
                    _ => "token is not a valid binary operator in a preprocessor subexpression".into(),
                },
            )),
        }
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

    fn punct(&self) -> Option<Punct> {
        match self.tokens.get(self.position)?.kind {
            TokenKind::Punct(punct) => Some(punct),
            _ => None,
        }
    }

    fn deeper(&mut self) -> Result<(), Failure> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let token = self.tokens.get(self.position).copied();
            return Err((token, "preprocessor expression is nested too deeply".into()));
        }
        Ok(())
    }

    /// `a ? b : c`; without `live` nothing is wrong with a division by zero.
    fn conditional(&mut self, live: bool) -> Result<Value, Failure> {
        self.deeper()?;
        let condition = self.binary(1, live)?;
        let mut value = condition;
        if self.punct() == Some(Punct::Question) {
            let question = self.tokens.get(self.position).copied();
            self.position += 1;
            let yes = self.conditional(live && condition.truth())?;
            if self.punct() != Some(Punct::Colon) {
                return Err((question, "expected ':' in conditional expression".into()));
            }
            self.position += 1;
            let no = self.conditional(live && !condition.truth())?;
            let chosen = if condition.truth() { yes } else { no };
            value = Value { bits: chosen.bits, unsigned: yes.unsigned || no.unsigned };
        }
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, lowest: u8, live: bool) -> Result<Value, Failure> {
        let mut left = self.unary(live)?;
        while let Some((punct, level)) = self.punct().and_then(|punct| Some((punct, precedence(punct)?))) {
            if level < lowest {
                break;
            }
            let operator = self.tokens.get(self.position).copied();
            self.position += 1;
            let right_live = match punct {
                Punct::AmpAmp => live && left.truth(),
                Punct::PipePipe => live && !left.truth(),
                _ => live,
            };
            let right = self.binary(level + 1, right_live)?;
            left = apply(punct, left, right, live).map_err(|message| (operator, message.to_owned()))?;
        }
        Ok(left)
    }

    fn unary(&mut self, live: bool) -> Result<Value, Failure> {
        self.deeper()?;
        let Some(token) = self.tokens.get(self.position).copied() else {
            return Err((self.tokens.last().copied(), "expected value in expression".into()));
        };
        self.position += 1;
        let value = match token.kind {
            TokenKind::Number => self.number(&token)?,
            TokenKind::Char => self.character(&token)?,
            // Identifiers that are still there after expansion, keywords included, are 0.
            TokenKind::Identifier => Value { bits: 0, unsigned: false },
            TokenKind::Punct(Punct::Plus) => self.unary(live)?,
            TokenKind::Punct(Punct::Minus) => {
                let value = self.unary(live)?;
                Value { bits: value.bits.wrapping_neg(), ..value }
            }
            TokenKind::Punct(Punct::Tilde) => {
                let value = self.unary(live)?;
                Value { bits: !value.bits, ..value }
            }
            TokenKind::Punct(Punct::Bang) => Value::bool(!self.unary(live)?.truth()),
            TokenKind::Punct(Punct::LParen) => {
                let mut value = self.conditional(live)?;
                // GNU C allows the comma operator.
                while self.punct() == Some(Punct::Comma) {
                    self.position += 1;
                    value = self.conditional(live)?;
                }
                if self.punct() != Some(Punct::RParen) {
                    let at = self.tokens.get(self.position).copied();
                    return Err(match at.map(|at| at.kind) {
                        Some(TokenKind::Punct(Punct::LParen)) => (at, self.after_name()),
                        _ => (at.or(Some(token)), "expected ')' in preprocessor expression".into()),
                    });
                }
                self.position += 1;
                value
            }
            _ => return Err((Some(token), "invalid token at start of a preprocessor expression".into())),
        };
        self.depth -= 1;
        Ok(value)
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
            1 => i64::from(value as u8 as i8),
            _ => i64::from(value as i32),
        };
        Ok(Value { bits: value as u64, unsigned: false })
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
    let (sl, sr) = (l as i64, r as i64);
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
        Punct::Slash => of(if unsigned { l.wrapping_div(r) } else { sl.wrapping_div(sr) as u64 }),
        Punct::Percent => of(if unsigned { l.wrapping_rem(r) } else { sl.wrapping_rem(sr) as u64 }),
        _ => Err("token is not a valid binary operator in a preprocessor subexpression"),
    }
}

/// Shifts have the type of the left operand; a negative count shifts the other way, too large a one shifts all out.
fn shift(punct: Punct, left: Value, right: Value) -> Value {
    let mut leftward = punct == Punct::Shl;
    let mut count = right.bits;
    if !right.unsigned && (count as i64) < 0 {
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
        (false, false) => ((left.bits as i64) >> count.min(63)) as u64,
    };
    Value { bits, unsigned: left.unsigned }
}
