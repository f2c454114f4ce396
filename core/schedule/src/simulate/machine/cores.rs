//! More ranks than cores: a rank that can go on waits until a core is free.

/// The cores of a machine, by when they are free and who ran there last.
pub(super) struct Cores {
    cores: Vec<(f64, usize)>,
    switch: f64,
    /// The core of the rank that runs.
    current: usize,
}

impl Cores {
    /// `count` cores; if 0, every rank has its own.
    pub(super) fn new(count: usize, switch: f64) -> Self {
        Self { cores: vec![(0.0, usize::MAX); count], switch, current: 0 }
    }

    pub(super) fn limited(&self) -> bool {
        !self.cores.is_empty()
    }

    /// When a rank that can go on from `time` does: on the core it had, if that is free, or else on
    /// the one that is free first, which takes the time of a switch.
    pub(super) fn enter(&mut self, rank: usize, time: f64) -> f64 {
        let own = |core: &&(usize, &(f64, usize))| core.1.1 == rank && core.1.0 <= time;
        let first = |core: &(usize, &(f64, usize))| core.1.0.to_bits();
        let cores = self.cores.iter().enumerate();
        let found = cores.clone().find(|c| own(&c)).or_else(|| cores.min_by_key(first));
        let Some((index, &(free, last))) = found else { return time };
        self.current = index;
        let switch = if last == rank || last == usize::MAX { 0.0 } else { self.switch };
        free.max(time) + switch
    }

    pub(super) fn leave(&mut self, rank: usize, time: f64) {
        if let Some(core) = self.cores.get_mut(self.current) {
            *core = (time, rank);
        }
    }
}

#[cfg(test)]
mod tests;
