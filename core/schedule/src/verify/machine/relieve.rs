//! What gives way when no rank can go on.

use super::super::domain::Domain;
use super::{Machine, Rules, Wait};

impl<D: Domain> Machine<'_, D> {
    /// Lets go of a wait that the schedule does not ask for; `false` if there is none.
    ///
    /// A state that is reached under more waits is reached under fewer, so the run goes on from
    /// where it is.
    pub(super) fn relieve(&mut self) -> bool {
        if self.lanes.iter().all(|lane| lane.wait.is_none()) {
            return false;
        }
        if self.depth.is_some() && self.lanes.iter().any(|lane| is_room(lane.wait)) {
            self.depth = match self.rules {
                Rules::Depth => self.depth.map(|depth| depth + 1),
                Rules::InPlace => None,
            };
            self.wake_all(is_room);
            return true;
        }
        self.rules == Rules::InPlace && self.stage()
    }

    /// Copies aside what messages carry from where blocked ranks write.
    fn stage(&mut self) -> bool {
        let blocks = |channel: u32, chunks| {
            let rank = self.channels.get(channel).from as usize;
            let lane = &self.lanes[rank];
            let step = lane.reader.peek(self.compact);
            lane.wait == Some(Wait::Readers) && step.is_some_and(|s| s.chunks().overlaps(chunks))
        };
        let pinning = self.channels.in_flight().filter(|(_, message)| !message.copied);
        let blocking = pinning.filter(|(_, message)| blocks(message.channel, message.chunks));
        let blocking: Vec<_> = blocking.map(|(slot, message)| (slot, *message)).collect();
        for (slot, message) in &blocking {
            let rank = self.channels.get(message.channel).from as usize;
            self.copy_aside(*slot, rank, message.chunks);
            self.channels.set_copied(*slot);
            self.memory.unpin(rank, message.chunks);
            self.staged[rank].push(message.sent.step as u32);
        }
        self.wake_all(|wait| wait == Some(Wait::Readers));
        !blocking.is_empty()
    }

    fn wake_all(&mut self, which: impl Fn(Option<Wait>) -> bool) {
        for (rank, lane) in self.lanes.iter_mut().enumerate() {
            if which(lane.wait) {
                lane.wait = None;
                self.work.push(rank as u32);
            }
        }
    }
}

fn is_room(wait: Option<Wait>) -> bool {
    matches!(wait, Some(Wait::Room(_)))
}
