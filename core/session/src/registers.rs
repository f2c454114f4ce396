//! The numbering of registers, which the controller decides for all workers.

use super::protocol::Register;

/// Which registers are in use.
#[derive(Debug, Default)]
pub(super) struct Registers {
    highest: u32,
    free: Vec<Register>,
}

impl Registers {
    /// A register that is not in use: the one freed last, or else the next new one. 0 is never
    /// given out.
    pub(super) fn allocate(&mut self) -> Register {
        self.free.pop().unwrap_or_else(|| {
            self.highest += 1;
            Register(self.highest)
        })
    }

    /// Gives a register back.
    pub(super) fn free(&mut self, register: Register) {
        self.free.push(register);
    }

    /// The number of registers in use.
    pub(super) fn live(&self) -> usize {
        self.highest as usize - self.free.len()
    }
}

#[cfg(test)]
mod tests;
