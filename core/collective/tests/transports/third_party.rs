//! A transport from outside, by the public interface alone: ranks leave letters for each other.

use crate::support;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_schedule::ReduceOp::{Mean, Sum};
use ringwood_schedule::{Action, Capabilities, ChunkRange};
use ringwood_transport::{
    Address, Buffers, Endpoint, Failure, Intent, Memory, Op, Plan, Ready, Transport,
};
use ringwood_transport::{Statement, refusal};
use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

struct Letters;

/// From, to, channel; the letters about a call have none.
type Pigeonhole = (usize, usize, Option<u16>);

#[derive(Default)]
struct Office {
    boxes: Mutex<HashMap<Pigeonhole, Vec<Vec<u8>>>>,
    new: Condvar,
}

impl Office {
    fn post(&self, to: Pigeonhole, letter: Vec<u8>) {
        self.boxes.lock().unwrap().entry(to).or_default().push(letter);
        self.new.notify_all();
    }

    fn fetch(&self, from: Pigeonhole, failure: &Failure, timeout: Duration) -> Result<Vec<u8>> {
        let end = std::time::Instant::now() + timeout;
        let mut boxes = self.boxes.lock().unwrap();
        loop {
            if let Some(letters) = boxes.get_mut(&from).filter(|letters| !letters.is_empty()) {
                return Ok(letters.remove(0));
            }
            if let Some(error) = failure.get() {
                return Err(error);
            }
            if std::time::Instant::now() > end {
                let message = format!("no letter from rank {}", from.0);
                return Err(failure.raise(Error::new(ErrorKind::Timeout, message)));
            }
            boxes = self.new.wait_timeout(boxes, Duration::from_millis(10)).unwrap().0;
        }
    }
}

impl Transport for Letters {
    fn capabilities(&self) -> Capabilities {
        Capabilities::TWO_SIDED
    }

    fn connect(&self, ranks: usize, failure: &Arc<Failure>) -> Result<Vec<Box<dyn Endpoint>>> {
        let office = Arc::new(Office::default());
        let end = |rank| {
            let (office, failure) = (Arc::clone(&office), Arc::clone(failure));
            Box::new(Writer { rank, ranks, office, failure, plans: Vec::new() })
                as Box<dyn Endpoint>
        };
        Ok((0..ranks).map(end).collect())
    }
}

struct Writer {
    rank: usize,
    ranks: usize,
    office: Arc<Office>,
    failure: Arc<Failure>,
    plans: Vec<Arc<Plan>>,
}

impl Endpoint for Writer {
    fn prepare(&mut self, slot: usize, plan: &Plan) -> Result<()> {
        let plan = Arc::new(plan.clone());
        match self.plans.get_mut(slot) {
            Some(earlier) => *earlier = plan,
            None => self.plans.push(plan),
        }
        Ok(())
    }

    fn call(&mut self, intent: &Intent<'_>, mut buffers: Buffers<'_>) -> Result<u64> {
        let own = intent.statement();
        let text = serde_json::to_vec(&own).unwrap();
        (0..self.ranks).for_each(|to| self.office.post((self.rank, to, None), text.clone()));
        let hear =
            |from| self.office.fetch((from, self.rank, None), &self.failure, intent.bounds.arrival);
        let heard = (0..self.ranks).map(hear).collect::<Result<Vec<_>>>()?;
        if heard.iter().any(|theirs| *theirs != text) || own.is_err() {
            let statements: Vec<Statement> =
                heard.iter().map(|text| serde_json::from_slice(text).unwrap()).collect();
            return Err(refusal(intent.call, &statements));
        }
        let Ok(Ready { slot, .. }) = intent.what else { unreachable!("all agree") };
        let plan = Arc::clone(&self.plans[slot]);
        let mut arena = vec![0_u64; plan.arena(self.rank).div_ceil(8)];
        let mut memory =
            Held { buffers: &mut buffers, arena: bytemuck::cast_slice_mut(&mut arena) };
        self.run(&plan, &mut memory, intent.bounds.execution).map_err(|e| self.failure.raise(e))
    }
}

struct Held<'a, 'b> {
    buffers: &'a mut Buffers<'b>,
    arena: &'a mut [u8],
}

impl Held<'_, '_> {
    fn at(&mut self, place: Address, bytes: usize) -> &mut [u8] {
        let memory: &mut [u8] = match place.memory {
            Memory::Arena => self.arena,
            _ => self.buffers.output(),
        };
        &mut memory[place.offset..place.offset + bytes]
    }

    fn read(&mut self, place: Address, bytes: usize) -> Vec<u8> {
        if place.memory == Memory::Input {
            return self.buffers.input()[place.offset..place.offset + bytes].to_vec();
        }
        self.at(place, bytes).to_vec()
    }

    fn copy(&mut self, op: Option<Op>) {
        if let Some(Op::Copy { source, target, bytes }) = op {
            let letter = self.read(source, bytes);
            self.at(target, bytes).copy_from_slice(&letter);
        }
    }
}

impl Writer {
    fn run(&self, plan: &Plan, memory: &mut Held<'_, '_>, timeout: Duration) -> Result<u64> {
        let [before, after] = plan.copies();
        memory.copy(before);
        for (index, step) in plan.steps(plan.rank())?.iter().enumerate() {
            let place = |chunks| plan.place(self.rank, chunks);
            let bytes = |chunks| plan.layout().bytes(self.rank, chunks).len();
            let (peer, channel) = (step.peer as usize, Some(step.channel));
            let (target, length) = (place(step.chunks), bytes(step.chunks));
            let letter = match step.action {
                Action::Send => {
                    let letter = memory.read(target, length);
                    self.office.post((self.rank, peer, channel), letter);
                    continue;
                }
                Action::Recv | Action::RecvReduce => {
                    self.office.fetch((peer, self.rank, channel), &self.failure, timeout)?
                }
                Action::Copy | Action::Reduce => memory.read(place(step.source), length),
                other => unreachable!("{other:?} is not selected without the power for it"),
            };
            let own = memory.at(target, length);
            match plan.merge().filter(|_| step.merges()) {
                Some(merge) => merge.apply(own, &letter)?,
                None => own.copy_from_slice(&letter),
            }
            let completes = plan.completing().iter().filter(|(step, _)| *step == index as u32);
            for &(_, chunk) in completes {
                let chunk = ChunkRange { first: chunk, count: 1, ..step.chunks };
                let own = memory.at(place(chunk), bytes(chunk));
                plan.merge().expect("only merges complete a chunk").complete(own)?;
            }
        }
        memory.copy(after);
        Ok(0)
    }
}

#[test]
fn a_transport_of_another_crate_runs_proved_schedules() {
    let sums = support::group(3).over(&Letters).spmd(|comm| {
        let mut data = vec![comm.rank() as f32; 1_000];
        comm.with("ring").all_reduce(&mut data, Sum)?;
        comm.with("one_shot").all_reduce(&mut data, Mean)?;
        assert!(comm.with("rnig").all_reduce(&mut data, Sum).is_err());
        let odd = comm.rank() == 2;
        let error = comm.with("ring").all_reduce(&mut data[odd.into()..], Sum).unwrap_err();
        assert!(error.message().ends_with("ranks 0, 1 have 1000, rank 2 has 999"), "{error}");
        Ok(data)
    });
    assert_eq!(sums.unwrap(), vec![vec![3.0; 1_000]; 3]);
}

#[test]
fn a_transport_that_connects_no_processes_says_so() {
    let error = support::group(2).over(&Letters).bootstrap().err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    let error = support::group(2).over(&Letters).join(0, "anywhere").err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
}
