//! The wire format of protocol buffers, as far as traces need it.

/// A message under construction.
#[derive(Default)]
pub(super) struct Message(Vec<u8>);

impl Message {
    /// A number: an integer, a flag or an enumeration.
    pub(super) fn number(mut self, field: u32, value: u64) -> Self {
        varint(&mut self.0, u64::from(field) << 3);
        varint(&mut self.0, value);
        self
    }

    pub(super) fn text(self, field: u32, text: &str) -> Self {
        self.bytes(field, text.as_bytes())
    }

    pub(super) fn message(self, field: u32, message: &Message) -> Self {
        self.bytes(field, &message.0)
    }

    /// A packed list of numbers; nothing if it is empty.
    pub(super) fn numbers(self, field: u32, values: &[u64]) -> Self {
        if values.is_empty() {
            return self;
        }
        let mut packed = Vec::new();
        values.iter().for_each(|value| varint(&mut packed, *value));
        self.bytes(field, &packed)
    }

    fn bytes(mut self, field: u32, bytes: &[u8]) -> Self {
        varint(&mut self.0, u64::from(field) << 3 | 2);
        varint(&mut self.0, bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    /// Adds the message to a file, with its length before it.
    pub(super) fn append_to(&self, file: &mut Vec<u8>) {
        varint(file, self.0.len() as u64);
        file.extend_from_slice(&self.0);
    }
}

/// Seven bits at a time, the low ones first; all bytes but the last have their highest bit set.
fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
