//! Messages that come, and their memory.

use crate::Region;
use ringwood_base::Result;

/// The bytes of a message, aligned for every element type.
#[derive(Default)]
pub(super) struct Message {
    memory: Option<Region>,
    pub(super) bytes: usize,
}

impl Message {
    pub(super) fn bytes(&self) -> &[u8] {
        self.memory.as_ref().map_or(&[], |memory| &memory.bytes()[..self.bytes])
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        self.memory.as_mut().map_or(&mut [], |memory| &mut memory.bytes_mut()[..self.bytes])
    }
}

/// Memory of messages, to use again: as many pieces as were in use at once.
#[derive(Default)]
pub(super) struct Pool(Vec<Region>);

impl Pool {
    pub(super) fn message(&mut self, bytes: usize) -> Result<Message> {
        let fits = self.0.iter().position(|memory| memory.bytes().len() >= bytes);
        let memory = match fits {
            Some(at) => self.0.swap_remove(at),
            None => {
                // The larger one takes the place of a smaller one: messages that grow would leave all of theirs.
                self.0.pop();
                Region::ordinary(bytes)?
            }
        };
        Ok(Message { memory: Some(memory), bytes })
    }

    pub(super) fn give(&mut self, message: Message) {
        self.0.extend(message.memory);
    }
}

#[cfg(test)]
mod tests;
