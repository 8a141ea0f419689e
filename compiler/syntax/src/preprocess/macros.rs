//! Macros: definitions, their uses, and the stack of expansions being read.

use clforge_basic::narrow::to_u32;
use std::rc::Rc;

use smallvec::SmallVec;

use super::{MAX_EXPANDED, Preprocessor};
use clforge_basic::diag::{Diagnostic, SourceRange};
use clforge_basic::source::lexer;
use clforge_basic::source::{Expansion, ExpansionId, Loc, Punct, Symbol, Token, TokenFlags, TokenKind};

/// Slot of an identifier that was not looked up among the predefined macros yet.
pub(super) const UNKNOWN: u32 = 0;
/// Slot of an identifier that is no macro.
pub(super) const NOT_A_MACRO: u32 = 1;
/// Slot of the first macro.
pub(super) const FIRST_MACRO: u32 = 2;

/// A macro whose expansion is worked out at its use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dynamic {
    File,
    Line,
    Counter,
    IncludeLevel,
    BaseFile,
    HasFeature,
    HasAttribute,
    HasBuiltin,
    HasNothing,
    HasInclude,
}

/// What stands in a replacement list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Text,
    Parameter(u16),
    Stringify(u16),
}

/// One element of a replacement list that needs work at each use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub token: Token,
    pub part: Part,
    /// A `##` stands before it.
    pub paste: bool,
}

/// A macro definition.
pub(super) struct Macro {
    pub name: Token,
    pub function_like: bool,
    pub variadic: bool,
    pub parameters: Vec<Symbol>,
    /// The replacement list as written.
    pub body: Rc<[Token]>,
    /// The same prepared for substitution; empty for an object-like macro without `##`, whose `body` is read as it is.
    pub items: Rc<[Item]>,
    /// Where the replacement list has `__VA_OPT__(…)`: `items` without these, for uses with no variable argument.
    pub without_optional: Option<Rc<[Item]>>,
    pub dynamic: Option<Dynamic>,
    pub predefined: bool,
    /// Not in an expansion of itself.
    pub enabled: bool,
}

/// Tokens of a [`Context`].
pub(super) enum Tokens {
    Shared(Rc<[Token]>),
    Owned(Vec<Token>),
}

/// A list of tokens being read in place of a macro's use.
pub(super) struct Context {
    pub tokens: Tokens,
    pub position: usize,
    /// What the tokens of a shared body are stamped with.
    pub expansion: ExpansionId,
    /// Spacing of the first token of a shared body.
    pub lead: TokenFlags,
    /// The macro to enable at the end.
    pub macro_id: Option<usize>,
    /// The end of these tokens is the end of input.
    pub barrier: bool,
}

const SPACING: TokenFlags = TokenFlags::LINE_START.union(TokenFlags::SPACE_BEFORE);

impl Context {
    /// The next token.
    pub fn next(&mut self) -> Option<Token> {
        let position = self.position;
        match &self.tokens {
            Tokens::Owned(tokens) => {
                let token = *tokens.get(position)?;
                self.position += 1;
                Some(token)
            }
            Tokens::Shared(tokens) => {
                let mut token = *tokens.get(position)?;
                self.position += 1;
                token.loc.expansion = self.expansion;
                if position == 0 {
                    token.flags = (token.flags - SPACING) | self.lead;
                }
                Some(token)
            }
        }
    }

    fn peek(&self) -> Option<TokenKind> {
        match &self.tokens {
            Tokens::Owned(tokens) => tokens.get(self.position),
            Tokens::Shared(tokens) => tokens.get(self.position),
        }
        .map(|token| token.kind)
    }
}

/// What became of a macro's name.
pub(super) enum Outcome {
    /// Its expansion is on the stack.
    Entered,
    /// The token itself is passed on: it is not a macro invocation, or was replaced by one token that is final.
    Token,
}

/// The arguments of a function-like macro's use.
#[derive(Default)]
pub(super) struct Arguments {
    pub tokens: Vec<Token>,
    /// End of each argument in `tokens`.
    pub ends: SmallVec<[u32; 8]>,
    /// Arguments with macros expanded, made when first needed.
    pub expanded: SmallVec<[Option<Vec<Token>>; 4]>,
}

impl Arguments {
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    pub fn get(&self, index: usize) -> &[Token] {
        let start = if index == 0 { 0 } else { self.ends.get(index - 1).map_or(0, |end| *end as usize) };
        let end = self.ends.get(index).map_or(start, |end| *end as usize);
        self.tokens.get(start..end).unwrap_or(&[])
    }
}

impl Preprocessor<'_> {
    /// The macro an identifier names.
    pub(super) fn macro_of(&mut self, name: Symbol) -> Option<usize> {
        match self.slots.get(name.index()).copied().unwrap_or(UNKNOWN) {
            NOT_A_MACRO => None,
            UNKNOWN => self.look_up_predefined(name),
            slot => Some((slot - FIRST_MACRO) as usize),
        }
    }

    pub(super) fn slot_mut(&mut self, name: Symbol) -> &mut u32 {
        let index = name.index();
        if index >= self.slots.len() {
            self.slots.resize((index + 1).next_power_of_two().max(1024), UNKNOWN);
        }
        &mut self.slots[index]
    }

    /// Adds a macro and makes its name mean it.
    pub(super) fn install(&mut self, definition: Macro) -> usize {
        let id = self.macros.len();
        let name = definition.name.text;
        self.macros.push(definition);
        *self.slot_mut(name) = to_u32(id) + FIRST_MACRO;
        id
    }

    /// Expands a macro's name, if it is a use of the macro.
    pub(super) fn expand(&mut self, token: &mut Token, id: usize) -> Outcome {
        let definition = &self.macros[id];
        if !definition.enabled {
            token.flags |= TokenFlags::NO_EXPAND;
            return Outcome::Token;
        }
        if let Some(dynamic) = definition.dynamic {
            self.expand_dynamic(token, dynamic);
            return Outcome::Token;
        }
        let (body, mut items) = (definition.body.clone(), definition.items.clone());
        let without_optional = definition.without_optional.clone();
        let mut arguments = None;
        if definition.function_like {
            if !self.next_is_parenthesis() {
                return Outcome::Token;
            }
            arguments = self.collect_arguments(*token, id);
            if arguments.is_none() {
                token.flags |= TokenFlags::NO_EXPAND;
                return Outcome::Token;
            }
        }
        let lead = token.flags & SPACING;
        if body.is_empty() {
            self.pending |= lead;
            self.count_expanded(*token, 1);
            self.recycle(arguments);
            return Outcome::Entered;
        }
        let definition = &self.macros[id];
        let expansion = self.sources.add_expansion(Expansion {
            macro_name: definition.name.text,
            call_site: token.loc,
            definition: definition.name.loc.pos,
        });
        let mut as_written = items.is_empty();
        if let Some(without) = without_optional {
            let last = self.macros[id].parameters.len().saturating_sub(1);
            as_written = false;
            if arguments.as_ref().is_none_or(|arguments: &Arguments| arguments.get(last).is_empty()) {
                items = without;
            }
        }
        let tokens = if as_written {
            self.count_expanded(*token, body.len());
            Tokens::Shared(body)
        } else {
            let mut tokens = self.substitute(&items, arguments.get_or_insert_default(), expansion, id);
            match tokens.first_mut() {
                Some(first) => first.flags = (first.flags - SPACING) | lead,
                None => self.pending |= lead,
            }
            self.count_expanded(*token, tokens.len());
            Tokens::Owned(tokens)
        };
        self.recycle(arguments);
        self.macros[id].enabled = false;
        self.contexts.push(Context { tokens, position: 0, expansion, lead, macro_id: Some(id), barrier: false });
        Outcome::Entered
    }

    /// Ends the innermost expansion.
    pub(super) fn leave_context(&mut self) {
        if let Some(context) = self.contexts.pop() {
            if let Some(id) = context.macro_id {
                self.macros[id].enabled = true;
            }
            if let Tokens::Owned(tokens) = context.tokens {
                self.give_back(tokens);
            }
        }
    }

    /// An empty token list, reused where possible.
    pub(super) fn token_list(&mut self) -> Vec<Token> {
        self.spare.pop().unwrap_or_default()
    }

    pub(super) fn give_back(&mut self, mut tokens: Vec<Token>) {
        if self.spare.len() < 32 && tokens.capacity() <= 1 << 16 {
            tokens.clear();
            self.spare.push(tokens);
        }
    }

    fn recycle(&mut self, arguments: Option<Arguments>) {
        if let Some(arguments) = arguments {
            self.give_back(arguments.tokens);
            for tokens in arguments.expanded.into_iter().flatten() {
                self.give_back(tokens);
            }
        }
    }

    /// Accounts for tokens that macros make; ends the preprocessing when there are too many.
    pub(super) fn count_expanded(&mut self, token: Token, count: usize) {
        self.expanded += count as u64 + 1;
        if self.expanded > MAX_EXPANDED {
            let loc = self.sources.file_loc(token.loc);
            self.fatal(Token { loc, ..token }, "macro expansion makes too many tokens");
        }
    }

    /// Whether the next token is `(`, looked for past the end of exhausted expansions and over newlines.
    fn next_is_parenthesis(&self) -> bool {
        for context in self.contexts.iter().rev() {
            if let Some(kind) = context.peek() {
                return kind == TokenKind::Punct(Punct::LParen);
            }
            if context.barrier {
                return false;
            }
        }
        let (text, pos) = self.cursor();
        let next = lexer::trivia(text.as_bytes(), pos, false).end;
        text.as_bytes().get(next) == Some(&b'(')
    }

    /// Reads the arguments of a use; `None` after an error.
    fn collect_arguments(&mut self, name: Token, id: usize) -> Option<Arguments> {
        let variadic_at = self.macros[id].variadic.then(|| self.macros[id].parameters.len().saturating_sub(1));
        let mut arguments = Arguments { tokens: self.token_list(), ..Arguments::default() };
        let mut depth = 0usize;
        self.collecting += 1;
        let closed = loop {
            let mut token = self.read();
            match token.kind {
                TokenKind::Eof => break false,
                TokenKind::Punct(Punct::LParen) => {
                    depth += 1;
                    if depth == 1 {
                        continue;
                    }
                }
                TokenKind::Punct(Punct::RParen) => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        arguments.ends.push(to_u32(arguments.tokens.len()));
                        break true;
                    }
                }
                TokenKind::Punct(Punct::Comma) if depth == 1 && variadic_at.is_none_or(|at| arguments.count() < at) => {
                    arguments.ends.push(to_u32(arguments.tokens.len()));
                    continue;
                }
                TokenKind::Identifier => {
                    // A macro disabled here may be enabled once the arguments are read: paint its name now.
                    if let Some(id) = self.macro_of(token.text)
                        && !self.macros[id].enabled
                    {
                        token.flags |= TokenFlags::NO_EXPAND;
                    }
                }
                _ => {}
            }
            if token.flags.contains(TokenFlags::LINE_START) {
                // A newline among arguments is white space (6.10.3 p10).
                token.flags = (token.flags - TokenFlags::LINE_START) | TokenFlags::SPACE_BEFORE;
            }
            arguments.tokens.push(token);
        };
        self.collecting -= 1;
        if !closed {
            if !self.aborted {
                let diagnostic = Diagnostic::error(self.range(name), "unterminated function-like macro invocation");
                let diagnostic = self.note_definition(diagnostic, id);
                self.sink.push(diagnostic);
            }
            return None;
        }
        self.check_arguments(name, id, arguments)
    }

    /// Whether the number of arguments is right.
    fn check_arguments(&mut self, name: Token, id: usize, mut arguments: Arguments) -> Option<Arguments> {
        let (wanted, variadic) = (self.macros[id].parameters.len(), self.macros[id].variadic);
        if wanted == 0 && arguments.count() == 1 && arguments.tokens.is_empty() {
            arguments.ends.clear();
        }
        if variadic && arguments.count() + 1 == wanted {
            // The variable arguments may be left out with their comma.
            arguments.ends.push(to_u32(arguments.tokens.len()));
        }
        let problem = match arguments.count().cmp(&wanted) {
            std::cmp::Ordering::Equal => return Some(arguments),
            std::cmp::Ordering::Less => "too few",
            std::cmp::Ordering::Greater => "too many",
        };
        let message = format!("{problem} arguments provided to function-like macro invocation");
        let diagnostic = Diagnostic::error(self.range(name), message).with_label(format!(
            "{} given, {} expected",
            arguments.count(),
            wanted
        ));
        let diagnostic = self.note_definition(diagnostic, id);
        self.sink.push(diagnostic);
        None
    }

    fn note_definition(&self, diagnostic: Diagnostic, id: usize) -> Diagnostic {
        let name = self.macros[id].name;
        diagnostic.with_note(self.range(name), format!("macro '{}' defined here", self.text(name)))
    }

    /// Expands a list of tokens to the end, as if nothing followed it.
    pub(super) fn expand_all(&mut self, tokens: &[Token]) -> Vec<Token> {
        let mut input = self.token_list();
        input.extend_from_slice(tokens);
        let mut output = self.token_list();
        let height = self.contexts.len();
        let pending = std::mem::replace(&mut self.pending, TokenFlags::empty());
        self.push_barrier(input);
        loop {
            let token = self.next_expanded();
            if token.kind == TokenKind::Eof {
                break;
            }
            output.push(token);
        }
        while self.contexts.len() > height {
            self.leave_context();
        }
        self.pending = pending;
        output
    }

    /// Makes `tokens` all there is to read.
    pub(super) fn push_barrier(&mut self, tokens: Vec<Token>) {
        self.contexts.push(Context {
            tokens: Tokens::Owned(tokens),
            position: 0,
            expansion: ExpansionId::NONE,
            lead: TokenFlags::empty(),
            macro_id: None,
            barrier: true,
        });
    }

    /// Where a macro is defined, as a range.
    pub(super) fn definition_range(&self, id: usize) -> SourceRange {
        self.range(self.macros[id].name)
    }

    /// Obeys `#undef`.
    pub(super) fn undefine(&mut self, name: Symbol) {
        *self.slot_mut(name) = NOT_A_MACRO;
    }

    /// A macro without a replacement list of its own, and the built-in place of its name.
    pub(super) fn install_dynamic(&mut self, name: Symbol, dynamic: Dynamic) -> usize {
        let token = Token { kind: TokenKind::Identifier, flags: TokenFlags::empty(), text: name, loc: Loc::at(0) };
        self.install(Macro {
            name: token,
            function_like: false,
            variadic: false,
            parameters: Vec::new(),
            body: Rc::from([]),
            items: Rc::from([]),
            without_optional: None,
            dynamic: Some(dynamic),
            predefined: true,
            enabled: true,
        })
    }
}
