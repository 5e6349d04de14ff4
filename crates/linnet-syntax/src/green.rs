//! Building green nodes from the leaves up, equal small parts shared.
//!
//! rowan's own builder keeps every small node it has seen in a growing hash map, and hashes whole
//! subtrees when that grows. Two tables of fixed size find nearly as many equal parts, in half the
//! time, and deep trees cost no more than flat ones.

use rowan::{GreenNode, GreenToken, NodeOrToken};

use crate::{SyntaxKind, SyntaxKind::*};

type Element = NodeOrToken<GreenNode, GreenToken>;

/// Longer tokens, comments mostly, are seldom equal to another.
const LONGEST_SHARED_TOKEN: usize = 40;

/// More children than this are seldom equal to those of another node.
const MOST_SHARED_CHILDREN: usize = 3;

pub(crate) struct GreenBuilder {
    /// The open nodes, each with the place of its first child in `children`.
    open: Vec<(SyntaxKind, usize)>,
    children: Vec<Element>,
    /// The tokens that are always written the same way, by kind.
    fixed: Vec<Option<GreenToken>>,
    /// Tokens and nodes seen lately, by hash; a newer one takes the place of an older.
    tokens: Vec<Option<GreenToken>>,
    nodes: Vec<Option<GreenNode>>,
}

impl GreenBuilder {
    /// A builder for about `tokens` tokens.
    pub(crate) fn new(tokens: usize) -> GreenBuilder {
        let slots = tokens.next_power_of_two().clamp(16, 4096);
        GreenBuilder {
            open: Vec::new(),
            children: Vec::new(),
            fixed: vec![None; DEVICE_KW as usize + 1],
            tokens: vec![None; slots],
            nodes: vec![None; slots],
        }
    }

    pub(crate) fn start_node(&mut self, kind: SyntaxKind) {
        self.open.push((kind, self.children.len()));
    }

    pub(crate) fn token(&mut self, kind: SyntaxKind, text: &str) {
        let raw = rowan::SyntaxKind(kind as u16);
        let token = if (L_PAREN..=DEVICE_KW).contains(&kind) {
            self.fixed[kind as usize]
                .get_or_insert_with(|| GreenToken::new(raw, text))
                .clone()
        } else if text.len() > LONGEST_SHARED_TOKEN {
            GreenToken::new(raw, text)
        } else {
            let mut hash = Hash::new(kind);
            hash.add_text(text.as_bytes());
            let slot = hash.slot(self.tokens.len());
            match &self.tokens[slot] {
                Some(known) if known.kind() == raw && known.text() == text => known.clone(),
                _ => self.tokens[slot].insert(GreenToken::new(raw, text)).clone(),
            }
        };
        self.children.push(NodeOrToken::Token(token));
    }

    pub(crate) fn finish_node(&mut self) {
        let Some((kind, first)) = self.open.pop() else {
            return;
        };
        let raw = rowan::SyntaxKind(kind as u16);
        let children = &self.children[first..];
        let node = if children.len() > MOST_SHARED_CHILDREN {
            GreenNode::new(raw, self.children.drain(first..))
        } else {
            let mut hash = Hash::new(kind);
            for child in children {
                hash.add(address(child) as u64);
            }
            let slot = hash.slot(self.nodes.len());
            match &self.nodes[slot] {
                Some(known) if known.kind() == raw && has_children(known, children) => {
                    let known = known.clone();
                    self.children.truncate(first);
                    known
                }
                _ => {
                    let node = GreenNode::new(raw, self.children.drain(first..));
                    self.nodes[slot].insert(node).clone()
                }
            }
        };
        self.children.push(NodeOrToken::Node(node));
    }

    /// The root, once every node is finished.
    pub(crate) fn finish(mut self) -> GreenNode {
        match self.children.pop() {
            Some(NodeOrToken::Node(root)) => root,
            _ => GreenNode::new(rowan::SyntaxKind(SOURCE_FILE as u16), []),
        }
    }
}

fn address(element: &Element) -> usize {
    match element {
        NodeOrToken::Node(node) => std::ptr::from_ref(&**node).addr(),
        NodeOrToken::Token(token) => std::ptr::from_ref(&**token).addr(),
    }
}

/// Whether these very nodes and tokens are the children of `node`.
fn has_children(node: &GreenNode, children: &[Element]) -> bool {
    let of_node = node.children();
    of_node.len() == children.len()
        && of_node.zip(children).all(|(a, b)| match (a, b) {
            (NodeOrToken::Node(a), NodeOrToken::Node(b)) => std::ptr::eq(a, &**b),
            (NodeOrToken::Token(a), NodeOrToken::Token(b)) => std::ptr::eq(a, &**b),
            _ => false,
        })
}

/// A quick hash; a poor one costs some sharing and nothing else.
struct Hash(u64);

impl Hash {
    fn new(kind: SyntaxKind) -> Hash {
        Hash(kind as u64)
    }

    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn add_text(&mut self, text: &[u8]) {
        let (words, rest) = text.as_chunks::<8>();
        for word in words {
            self.add(u64::from_le_bytes(*word));
        }
        let mut last = rest.len() as u64;
        for byte in rest {
            last = (last << 8) | u64::from(*byte);
        }
        self.add(last);
    }

    /// A slot of a table whose length is a power of two.
    fn slot(&self, len: usize) -> usize {
        (self.0 >> 32) as usize & (len - 1)
    }
}
