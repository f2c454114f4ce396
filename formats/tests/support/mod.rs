//! Runs execution plans with real memory and no check at all, in random orders.

use ringwood_formats::ExecutionPlan;
use ringwood_schedule::plan::{Goal, PACKETS, PRIVATE, PlanAction, PlanLane};
use ringwood_schedule::{Action, BufferMode, ChunkRange, Operation, Space, Step};
use std::collections::{HashMap, VecDeque};

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

/// A number for each input cell; sums of different cells differ.
fn leaf(rank: u32, cell: u32) -> u64 {
    Random(u64::from(rank) << 32 | u64::from(cell)).next()
}

/// A cell of memory: in place, input and output have one name.
type Name = (u32, u8, u32);

/// Cells of a rank.
type Cells = (u32, ChunkRange);

/// What a lane or a port channel is about to do.
enum Task {
    Write(Cells, Vec<u64>, bool),
    Move(u32, Step),
    Release(u32),
}

/// A machine in the middle of a run.
struct World<'a> {
    plan: &'a ExecutionPlan,
    mode: BufferMode,
    memory: HashMap<Name, u64>,
    messages: HashMap<(u32, u32, u16), VecDeque<Vec<u64>>>,
    semaphores: Vec<u32>,
    arrived: Vec<Vec<usize>>,
    passed: Vec<bool>,
    next: Vec<usize>,
    /// Of each lane, the half of a move that is left.
    half: Vec<Option<Task>>,
    ports: Vec<VecDeque<Task>>,
}

/// Runs a plan in one random order. Whether it ends, and ends right when every rank has ended.
pub(crate) fn run(plan: &ExecutionPlan, mode: BufferMode, random: &mut Random) -> bool {
    let mut world = World {
        plan,
        mode,
        memory: HashMap::new(),
        messages: HashMap::new(),
        semaphores: plan.semaphores.iter().map(|s| s.initial).collect(),
        arrived: vec![Vec::new(); plan.barriers.len()],
        passed: vec![false; plan.lanes.len()],
        next: vec![0; plan.lanes.len()],
        half: plan.lanes.iter().map(|_| None).collect(),
        ports: (0..plan.ports).map(|_| VecDeque::new()).collect(),
    };
    for (rank, buffers) in plan.ranks.iter().enumerate() {
        for cell in 0..buffers.input {
            let name = world.name(rank as u32, Space::Input, cell);
            world.memory.insert(name, leaf(rank as u32, cell));
        }
    }
    let mut ended = vec![false; plan.ranks.len()];
    loop {
        let agents = plan.lanes.len() + world.ports.len();
        let first = random.below(agents);
        let moved = (0..agents).map(|i| (first + i) % agents).any(|agent| world.step(agent));
        for (rank, ended) in ended.iter_mut().enumerate() {
            let mut lanes = plan.lanes.iter().enumerate().filter(|(_, l)| l.rank as usize == rank);
            if !*ended && lanes.all(|(i, l)| world.over(i, l)) {
                *ended = true;
                if !world.right(rank as u32) {
                    return false;
                }
            }
        }
        if !moved {
            break;
        }
    }
    let signals = world.semaphores.iter().zip(&plan.semaphores);
    let mut left = signals.filter(|(count, s)| s.signal.is_some() && **count > 0);
    let leftovers = left.next().is_some() || world.messages.values().any(|m| !m.is_empty());
    ended.iter().all(|e| *e) && !leftovers && (0..ended.len()).all(|r| world.right(r as u32))
}

/// Whether cells say whether they are full.
fn packets(cells: ChunkRange) -> bool {
    cells.space == Space::Scratch && (PACKETS..PRIVATE).contains(&cells.first)
}

/// Where a step of a rank reads and where it writes.
fn ends(rank: u32, step: &Step) -> (Cells, Cells) {
    match step.action {
        Action::Put => ((rank, step.source), (step.peer, step.chunks)),
        Action::Get | Action::GetReduce => ((step.peer, step.source), (rank, step.chunks)),
        _ => ((rank, step.source), (rank, step.chunks)),
    }
}

impl World<'_> {
    fn over(&self, i: usize, lane: &PlanLane) -> bool {
        self.next[i] == lane.ops.len() && self.half[i].is_none()
    }

    fn name(&self, rank: u32, space: Space, cell: u32) -> Name {
        let buffers = self.plan.ranks[rank as usize];
        let (space, cell) = match (self.mode, self.plan.goal, space) {
            (BufferMode::InPlace, Goal::Operation(Operation::AllGather), Space::Input) => {
                (Space::Output, rank * buffers.input + cell)
            }
            (BufferMode::InPlace, Goal::Operation(Operation::ReduceScatter), Space::Output) => {
                (Space::Input, rank * buffers.output + cell)
            }
            (BufferMode::InPlace, Goal::Operation(Operation::ReduceScatter), _) => (space, cell),
            (BufferMode::InPlace, _, Space::Input) => (Space::Output, cell),
            _ => (space, cell),
        };
        (rank, space as u8, cell)
    }

    /// Whether the outputs of a rank are what the plan is for.
    fn right(&self, rank: u32) -> bool {
        let Goal::Operation(operation) = self.plan.goal else { return true };
        let (n, buffers) = (self.plan.ranks.len() as u32, self.plan.ranks[rank as usize]);
        let sum = |cell: u32| (0..n).fold(0, |a: u64, r| a.wrapping_add(leaf(r, cell)));
        (0..buffers.output).all(|cell| {
            let due = match operation {
                Operation::AllReduce => sum(cell),
                Operation::ReduceScatter => sum(rank * buffers.output + cell),
                Operation::AllGather => leaf(cell / buffers.input, cell % buffers.input),
                _ => {
                    let part = buffers.output / n;
                    leaf(cell / part, rank * part + cell % part)
                }
            };
            self.memory.get(&self.name(rank, Space::Output, cell)) == Some(&due)
        })
    }

    /// Lets a lane or a port channel do its next half of an operation; `false` if it cannot.
    fn step(&mut self, agent: usize) -> bool {
        if let Some(port) = agent.checked_sub(self.plan.lanes.len()) {
            let Some(task) = self.ports[port].pop_front() else { return false };
            match task {
                Task::Release(semaphore) => self.semaphores[semaphore as usize] += 1,
                Task::Write(cells, values, merge) => self.write(cells, &values, merge),
                Task::Move(rank, step) => {
                    let (source, target) = ends(rank, &step);
                    let values = self.read(source);
                    self.ports[port].push_front(Task::Write(target, values, step.merges()));
                }
            }
            return true;
        }
        if let Some(Task::Write(cells, values, merge)) = self.half[agent].take() {
            self.write(cells, &values, merge);
            return true;
        }
        let plan = self.plan;
        let Some(op) = plan.lanes[agent].ops.get(self.next[agent]) else { return false };
        let done = self.act(agent, &op.action);
        self.next[agent] += usize::from(done);
        done
    }

    fn act(&mut self, lane: usize, action: &PlanAction) -> bool {
        match *action {
            PlanAction::Move { step, port: Some(port) } => {
                let rank = self.plan.lanes[lane].rank;
                self.ports[port as usize].push_back(Task::Move(rank, step));
            }
            PlanAction::Move { step, port: None } => return self.carry(lane, &step),
            PlanAction::Release { semaphore, port: Some(port), .. } => {
                self.ports[port as usize].push_back(Task::Release(semaphore));
            }
            PlanAction::Release { semaphore, .. } => self.semaphores[semaphore as usize] += 1,
            PlanAction::Acquire { semaphore, .. } => {
                let count = &mut self.semaphores[semaphore as usize];
                let some = *count > 0;
                *count -= u32::from(some);
                return some;
            }
            PlanAction::Flush { port } => return self.ports[port as usize].is_empty(),
            PlanAction::Barrier { barrier } => return self.meet(lane, barrier as usize),
            PlanAction::After { lane: other, op, .. } => {
                let (other, Some(op)) = (other as usize, op) else { return false };
                let at = self.next[other];
                return at > op as usize + 1 || at == op as usize + 1 && self.half[other].is_none();
            }
            PlanAction::Nop => {}
        }
        true
    }

    /// Reads what a step of a lane moves, and leaves the write for later.
    fn carry(&mut self, lane: usize, step: &Step) -> bool {
        let rank = self.plan.lanes[lane].rank;
        let (source, target) = ends(rank, step);
        let values = match step.action {
            Action::Send => {
                let values = self.read(source);
                let way = (rank, step.peer, step.channel);
                self.messages.entry(way).or_default().push_back(values);
                return true;
            }
            Action::Recv | Action::RecvReduce => {
                let way = (step.peer, rank, step.channel);
                let Some(values) = self.messages.entry(way).or_default().pop_front() else {
                    return false;
                };
                values
            }
            _ if packets(source.1) && !self.full(source) => return false,
            _ => self.read(source),
        };
        self.half[lane] = Some(Task::Write(target, values, step.merges()));
        true
    }

    fn meet(&mut self, lane: usize, barrier: usize) -> bool {
        if std::mem::take(&mut self.passed[lane]) {
            return true;
        }
        let arrived = &mut self.arrived[barrier];
        if !arrived.contains(&lane) {
            arrived.push(lane);
        }
        if arrived.len() < self.plan.barriers[barrier] as usize {
            return false;
        }
        std::mem::take(arrived).into_iter().for_each(|l| self.passed[l] = true);
        std::mem::take(&mut self.passed[lane])
    }

    fn names(&self, (rank, cells): Cells) -> impl Iterator<Item = Name> {
        (cells.first..cells.first + cells.count).map(move |c| self.name(rank, cells.space, c))
    }

    fn full(&self, cells: Cells) -> bool {
        self.names(cells).all(|name| self.memory.contains_key(&name))
    }

    fn read(&self, cells: Cells) -> Vec<u64> {
        // What nobody has written is anything.
        self.names(cells).map(|name| self.memory.get(&name).copied().unwrap_or(0xBAD)).collect()
    }

    fn write(&mut self, cells: Cells, values: &[u64], merge: bool) {
        let names: Vec<_> = self.names(cells).collect();
        for (name, value) in names.into_iter().zip(values) {
            let own = if merge { self.memory.get(&name).copied().unwrap_or(0xBAD) } else { 0 };
            self.memory.insert(name, own.wrapping_add(*value));
        }
    }
}
